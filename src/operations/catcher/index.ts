export { CatcherModule } from './catcher.module.js';

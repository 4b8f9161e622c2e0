export { PreferencePagesModule } from './preference-pages.module.js';

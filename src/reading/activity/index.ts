export { ActivityModule } from './activity.module.js';

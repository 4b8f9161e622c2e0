export { WidgetsModule } from './widgets.module.js';

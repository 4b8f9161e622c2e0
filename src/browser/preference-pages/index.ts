export { PreferencePagesModule } from './preference-pages.module.js';
export { sendInvalidLink } from './link-pages.js';

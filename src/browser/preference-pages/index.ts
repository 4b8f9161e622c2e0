export { PreferencePagesModule } from './preference-pages.module.js';
export { sendInvalidLink } from './invalid-link.js';

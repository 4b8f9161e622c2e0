export { PreferencePagesModule } from './preference-pages.module.js';
export { FormBodies } from './form-body.js';
export { faultPage, sendInvalidLink } from './link-pages.js';
export { type Page, type PageBranding, pageTemplate, sendPage } from './page-frame.js';
export { type PageLanguage, pageLanguage } from './page-texts.js';
export { type Recipient, Recipients } from './recipient.js';

export { type LinkClaims, RecipientLinks } from './recipient-links.js';
export { RecipientLinksModule } from './recipient-links.module.js';

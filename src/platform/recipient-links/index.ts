export { linkTarget } from './link-target.js';
export { type AddressedLinks, type LinkClaims, RecipientLinks } from './recipient-links.js';
export { RecipientLinksModule } from './recipient-links.module.js';
export { readTracking, type Tracking, tracking } from './tracking.schema.js';

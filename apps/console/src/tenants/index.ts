export { TenantsPage } from './tenants-page.js';

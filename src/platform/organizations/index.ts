export { BrandingsService } from './brandings.service.js';
export type { Branding, Organization } from './organization.schema.js';
export { OrganizationResponse } from './organization.response.js';
export { OrganizationsModule } from './organizations.module.js';
export { OrganizationsService } from './organizations.service.js';

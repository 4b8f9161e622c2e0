export { TenantResponse } from './tenant.response.js';
export { TenantNotFound } from './tenants.errors.js';
export { TenantDeleted } from './tenants.events.js';
export { TenantsModule } from './tenants.module.js';
export { TenantsService } from './tenants.service.js';

export { TenantResponse } from './tenant.response.js';
export { TenantNotFound } from './tenants.errors.js';
export { TenantsModule } from './tenants.module.js';
export { TenantDeleted, TenantsService } from './tenants.service.js';

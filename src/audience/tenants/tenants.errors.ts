import { defineError } from '#libs/http-kit';

export const TenantAlreadyExists = defineError(
  409,
  'tenant_already_exists',
  (identifier: string) =>
    `This environment already has a tenant with the identifier '${identifier}'. Choose another one or change that tenant with PATCH.`,
  ['acme'],
);

export const TenantNotFound = defineError(
  404,
  'tenant_not_found',
  (identifier: string) =>
    `This environment has no tenant '${identifier}'. List them with GET /v1/tenants or create it with POST /v1/tenants.`,
  ['acme'],
);

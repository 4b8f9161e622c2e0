import { AppException } from '#libs/http-kit';

export class TenantAlreadyExists extends AppException {
  constructor(identifier: string) {
    super(
      409,
      'tenant_already_exists',
      `This environment already has a tenant with the identifier '${identifier}'. Choose another one or change that tenant with PATCH.`,
    );
  }
}

export class TenantNotFound extends AppException {
  constructor(identifier: string) {
    super(
      404,
      'tenant_not_found',
      `This environment has no tenant '${identifier}'. List them with GET /v1/tenants or create it with POST /v1/tenants.`,
    );
  }
}

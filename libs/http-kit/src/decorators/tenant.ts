import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '#libs/common';

export interface TenantRequest extends Request {
  tenant?: Caller;
  /** Digest of a large body that came with an Idempotency-Key. */
  bodyDigest?: string;
}

/** The tenant of the API key, as a handler's argument. */
export const Tenant = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const tenant = context.switchToHttp().getRequest<TenantRequest>().tenant;
  if (tenant === undefined) throw new Error('A public route has no tenant.');
  return tenant;
});

import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Caller } from '#libs/common';
import type { HttpRequest } from '../request/http-request.js';

/** The tenant of the API key, as a handler's argument. */
export const Tenant = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { tenant } = context.switchToHttp().getRequest<HttpRequest>();
  if (tenant === undefined) throw new Error('A public route has no tenant.');
  return tenant;
});

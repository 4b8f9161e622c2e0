import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { KeyedRequest } from './api-key.guard.js';

export interface Owner {
  readonly _environmentId: Types.ObjectId;
  readonly _organizationId: Types.ObjectId;
}

/** The owner of the API key. */
export const Tenant = createParamDecorator((_data: unknown, context: ExecutionContext): Owner => {
  const { environmentId, organizationId } = context.switchToHttp().getRequest<Required<KeyedRequest>>();
  return { _environmentId: environmentId, _organizationId: organizationId };
});

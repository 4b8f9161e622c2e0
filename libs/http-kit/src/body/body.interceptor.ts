import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import type { TenantRequest } from '../decorators/tenant.js';
import { ValidationFailed } from '../errors/common.errors.js';
import { queryFault } from '../validation/hostile-json.js';
import { BodyReader } from './body-reader.js';

/**
 * Reads bodies after the guards: a caller without a key, or over the rate limit, cannot make the process read,
 * decompress or store anything. Public routes read their own bodies.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(private readonly bodies: BodyReader) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<TenantRequest>();
    const fault = queryFault(request);
    if (fault !== undefined) throw new ValidationFailed([fault]);
    if (request.tenant !== undefined) {
      const response = context.switchToHttp().getResponse<Response>();
      request.body = await this.bodies.readJson(request, response, request.tenant.environmentId);
    }
    return next.handle();
  }
}

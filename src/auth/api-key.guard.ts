import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { IS_PUBLIC, type TenantRequest } from '#libs/http-kit';
import { ApiKeysService } from './api-keys.service.js';
import { Unauthorized } from './auth.errors.js';

/** Lets a request through only with a live API key; `@Public()` is the only way around it (decisions 2.2, 2.3). */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeysService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const isPublic = this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (isPublic === true) return true;

    const request = context.switchToHttp().getRequest<TenantRequest>();
    const tenant = await this.apiKeys.authenticate(keyFrom(request.headers.authorization));
    if (tenant === undefined) throw new Unauthorized('The API key is unknown, revoked or expired.');
    request.tenant = tenant;
    return true;
  }
}

/** The key in `ApiKey <key>`: the scheme word in any case, surrounding blanks ignored. Messages never echo the key. */
function keyFrom(header: string | undefined): string {
  const text = header?.trim() ?? '';
  if (text === '') throw new Unauthorized('The request carries no API key.');
  const match = /^apikey(?:\s+(\S+))?$/i.exec(text);
  if (match === null) throw new Unauthorized('The Authorization header does not use the scheme ApiKey.');
  if (match[1] === undefined) throw new Unauthorized('The Authorization header has an empty API key.');
  return match[1];
}

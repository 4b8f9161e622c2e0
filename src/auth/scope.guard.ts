import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { NEEDED_SCOPE, scopeOfMethod, type TenantRequest } from '#libs/http-kit';
import type { KeyScope } from '#libs/common';
import { ScopeMissing } from './auth.errors.js';

/** Restricts a key to its scopes. Runs after ApiKeyGuard: a route without a caller is public. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { tenant, method } = context.switchToHttp().getRequest<TenantRequest>();
    if (tenant === undefined) return true;
    const declared = this.reflector.getAllAndOverride<KeyScope | undefined>(NEEDED_SCOPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    const needed = declared ?? scopeOfMethod(method);
    if (!tenant.scopes.includes(needed)) throw new ScopeMissing(needed);
    return true;
  }
}

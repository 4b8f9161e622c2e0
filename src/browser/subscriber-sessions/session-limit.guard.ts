import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import type { HttpRequest } from '#libs/http-kit';
import { SessionLimits } from './session-limits.js';

@Injectable()
export class SessionLimitGuard implements CanActivate {
  constructor(private readonly limits: SessionLimits) {}

  canActivate(context: ExecutionContext): boolean {
    this.limits.admit(context.switchToHttp().getRequest<HttpRequest>().ip);
    return true;
  }
}

/** Counts calls of a public route as sessions created by their address. */
export const CreatesSessions = (): MethodDecorator => applyDecorators(UseGuards(SessionLimitGuard));

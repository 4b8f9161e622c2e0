import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Caller } from '#libs/common';
import { type HttpRequest, RouteAccess, scopeOfMethod } from '#libs/http-kit';
import { ApiKeysService, assertScope, keyHeadersOf } from '../auth/index.js';
import { SessionInvalid, SubscriberSessionsService } from '../subscriber-sessions/index.js';

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Identifies who calls: every route needs a live API key with its scope, except those with `@Public()` and those with
 * `@ForSubscribers()`, which need the session token of an existing subscriber.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly routes: RouteAccess,
    private readonly apiKeys: ApiKeysService,
    private readonly sessions: SubscriberSessionsService,
  ) {}

  /** No promise for a known key: each one costs every request. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { caller, scope, takesTokenInQuery } = this.routes.of(context);
    if (caller === 'anyone') return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (caller === 'subscriber') return this.admitSubscriber(request, takesTokenInQuery);
    const admit = (found: Caller): boolean => {
      assertScope(found, scope ?? scopeOfMethod(request.method));
      request.tenant = found;
      return true;
    };
    const found = this.apiKeys.authenticate(keyHeadersOf(request.raw.rawHeaders));
    return found instanceof Promise ? found.then(admit) : admit(found);
  }

  private async admitSubscriber(request: HttpRequest, takesTokenInQuery: boolean): Promise<boolean> {
    const token = tokenInHeader(request) ?? (takesTokenInQuery ? tokenInQuery(request) : undefined);
    if (token === undefined) throw new SessionInvalid();
    const { subscriber, organizationId, environmentId } = await this.sessions.authenticate(token);
    request.subscriber = subscriber;
    // Records name who changed them, here the subscriber; without scopes, no management route would admit this caller.
    request.tenant = { organizationId, environmentId, userId: subscriber.id, apiKeyId: subscriber.id, scopes: [] };
    return true;
  }
}

function tokenInHeader({ headers }: HttpRequest): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

function tokenInQuery({ query }: HttpRequest): string | undefined {
  const { token } = query as Record<string, unknown>;
  return typeof token === 'string' ? token : undefined;
}

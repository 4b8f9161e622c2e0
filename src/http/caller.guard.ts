import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Caller } from '#libs/common';
import { type HttpRequest, RouteAccess, scopeOfMethod } from '#libs/http-kit';
import { UserSessionsService } from '../people/users/index.js';
import { AgentKeyElsewhere, ApiKeyNeeded, ApiKeysService, assertScope, keyHeadersOf } from '../platform/auth/index.js';
import {
  SessionInvalid,
  StreamTickets,
  type SubscriberSession,
  SubscriberSessionsService,
} from '../browser/subscriber-sessions/index.js';

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Every route needs an API key with its scope, or the session of a person whose role has it, unless `@Public()` or
 * `@ForSubscribers()` (session token of an existing subscriber) says otherwise.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly routes: RouteAccess,
    private readonly apiKeys: ApiKeysService,
    private readonly people: UserSessionsService,
    private readonly sessions: SubscriberSessionsService,
    private readonly tickets: StreamTickets,
  ) {}

  /** No promise for a known key: each one costs every request. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { caller, scope, takesTicketInQuery, isOpenWithoutFactor, isForAgents } = this.routes.of(context);
    if (caller === 'anyone') return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (caller === 'subscriber') return this.admitSubscriber(request, takesTicketInQuery);
    const admit = (found: Caller): boolean => {
      request.tenant = found;
      if (isForAgents && found.person !== undefined) throw new ApiKeyNeeded();
      if (found.agent !== undefined && !isForAgents) throw new AgentKeyElsewhere();
      assertScope(found, scope ?? scopeOfMethod(request.method));
      return true;
    };
    const found = isFromPerson(request)
      ? this.people.authenticate(request, { isFresh: scope === 'admin' || isChange(request), isOpenWithoutFactor })
      : this.apiKeys.authenticate(keyHeadersOf(request.raw.rawHeaders));
    return found instanceof Promise ? found.then(admit) : admit(found);
  }

  private async admitSubscriber(request: HttpRequest, takesTicketInQuery: boolean): Promise<boolean> {
    const { subscriber, organizationId, environmentId } = await this.sessionOf(request, takesTicketInQuery);
    request.subscriber = subscriber;
    // Records name who changed them, here the subscriber; without scopes, no management route admits this caller.
    request.tenant = { organizationId, environmentId, userId: subscriber.id, apiKeyId: subscriber.id, scopes: [] };
    return true;
  }

  private async sessionOf(request: HttpRequest, takesTicketInQuery: boolean): Promise<SubscriberSession> {
    const token = tokenInHeader(request);
    if (token !== undefined) return this.sessions.authenticate(token);
    const ticket = takesTicketInQuery ? ticketInQuery(request) : undefined;
    if (ticket === undefined) throw new SessionInvalid();
    return this.tickets.redeem(ticket);
  }
}

/** A key goes before a cookie, which browsers send without being asked. */
function isFromPerson({ headers }: HttpRequest): boolean {
  return headers.cookie !== undefined && headers.authorization === undefined && headers['x-api-key'] === undefined;
}

function isChange({ method }: HttpRequest): boolean {
  return scopeOfMethod(method) === 'write';
}

function tokenInHeader({ headers }: HttpRequest): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

function ticketInQuery({ query }: HttpRequest): string | undefined {
  const { ticket } = query as Record<string, unknown>;
  return typeof ticket === 'string' ? ticket : undefined;
}

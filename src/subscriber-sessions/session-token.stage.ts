import { Injectable } from '@nestjs/common';
import { type HttpRequest, PipelineStage, type RoutePlan, type Stage, type Step } from '#libs/http-kit';
import { SessionInvalid } from './sessions.errors.js';
import { StreamTickets } from './stream-tickets.js';
import { type SubscriberSession, SubscriberSessionsService } from './subscriber-sessions.service.js';

const BEARER = /^bearer +(\S+) *$/i;

/** Requires the session token of an existing subscriber on every route with `@ForSubscribers()`. */
@Injectable()
@PipelineStage({ identifies: 'subscriber' })
export class SessionTokenStage implements Stage {
  constructor(
    private readonly sessions: SubscriberSessionsService,
    private readonly tickets: StreamTickets,
  ) {}

  stepFor({ takesTicketInQuery }: RoutePlan): Step {
    return async (request) => {
      const token = tokenInHeader(request);
      const ticket = takesTicketInQuery && token === undefined ? ticketInQuery(request) : undefined;
      identify(request, ticket === undefined ? await this.resume(token) : await this.tickets.redeem(ticket));
    };
  }

  private resume(token: string | undefined): Promise<SubscriberSession> {
    if (token === undefined) throw new SessionInvalid();
    return this.sessions.authenticate(token);
  }
}

function identify(request: HttpRequest, { subscriber, organizationId, environmentId }: SubscriberSession): void {
  request.subscriber = subscriber;
  // Records name who changed them, here the subscriber; without scopes, no management route would admit this caller.
  request.tenant = { organizationId, environmentId, userId: subscriber.id, apiKeyId: subscriber.id, scopes: [] };
}

function tokenInHeader({ headers }: HttpRequest): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

function ticketInQuery({ query }: HttpRequest): string | undefined {
  const { ticket } = query as Record<string, unknown>;
  return typeof ticket === 'string' ? ticket : undefined;
}

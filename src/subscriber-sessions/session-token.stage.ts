import { Injectable } from '@nestjs/common';
import { type HttpRequest, PipelineStage, type RoutePlan, type Stage, type Step } from '#libs/http-kit';
import { SessionInvalid } from './sessions.errors.js';
import { SubscriberSessionsService } from './subscriber-sessions.service.js';

const BEARER = /^bearer +(\S+) *$/i;

/** Requires the session token of an existing subscriber on every route with `@ForSubscribers()`. */
@Injectable()
@PipelineStage({ identifies: 'subscriber' })
export class SessionTokenStage implements Stage {
  constructor(private readonly sessions: SubscriberSessionsService) {}

  stepFor({ takesTokenInQuery }: RoutePlan): Step {
    if (!takesTokenInQuery) return (request) => this.identify(request, tokenInHeader(request));
    return (request) => this.identify(request, tokenInHeader(request) ?? tokenInQuery(request));
  }

  private async identify(request: HttpRequest, token: string | undefined): Promise<void> {
    if (token === undefined) throw new SessionInvalid();
    const { subscriber, organizationId, environmentId } = await this.sessions.authenticate(token);
    request.subscriber = subscriber;
    // Records name who changed them, here the subscriber; without scopes, no management route would admit this caller.
    request.tenant = { organizationId, environmentId, userId: subscriber.id, apiKeyId: subscriber.id, scopes: [] };
  }
}

function tokenInHeader({ headers }: HttpRequest): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

function tokenInQuery({ query }: HttpRequest): string | undefined {
  const { token } = query as Record<string, unknown>;
  return typeof token === 'string' ? token : undefined;
}

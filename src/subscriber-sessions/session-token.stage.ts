import { Injectable } from '@nestjs/common';
import { type HttpRequest, PipelineStage, type Stage, type Step } from '#libs/http-kit';
import { SessionInvalid } from './sessions.errors.js';
import { SubscriberSessionsService } from './subscriber-sessions.service.js';

const BEARER = /^bearer +(\S+) *$/i;

/** Requires the session token of an existing subscriber on every route with `@ForSubscribers()`. */
@Injectable()
@PipelineStage({ identifies: 'subscriber' })
export class SessionTokenStage implements Stage {
  constructor(private readonly sessions: SubscriberSessionsService) {}

  stepFor(): Step {
    return (request) => this.identify(request);
  }

  private async identify(request: HttpRequest): Promise<void> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new SessionInvalid();
    const { subscriber, organizationId, environmentId } = await this.sessions.authenticate(token);
    request.subscriber = subscriber;
    // Records name who changed them, here the subscriber; without scopes, no management route would admit this caller.
    request.tenant = { organizationId, environmentId, userId: subscriber.id, apiKeyId: subscriber.id, scopes: [] };
  }
}

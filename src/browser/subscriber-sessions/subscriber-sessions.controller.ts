import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, Public } from '#libs/http-kit';
import { InitializeSessionDto } from './session.dto.js';
import { CreatesSessions } from './session-limit.guard.js';
import { SessionResponse, showSession } from './session.response.js';
import { SubscriberSessionsService } from './subscriber-sessions.service.js';
import { HmacInvalid, InAppInactive, TooManySessions, UnknownApplication } from './sessions.errors.js';

/** Of the bodies of all routes that create sessions. */
export const MAX_SESSION_BYTES = 16_384;

@ApiTags('Browser clients')
@Controller({ path: 'widgets/session', version: '1' })
export class SubscriberSessionsController {
  constructor(private readonly sessions: SubscriberSessionsService) {}

  /**
   * Creates a session of a subscriber.
   * @remarks Called by the notification bell in a browser. The token gives access to the widget routes as this
   * subscriber, and to nothing else.
   */
  @Post('initialize')
  @Public({ maxBodyBytes: MAX_SESSION_BYTES })
  @CreatesSessions()
  @ApiData(201, SessionResponse)
  @ApiErrors(HmacInvalid, UnknownApplication, InAppInactive, TooManySessions)
  async initializeWidgetSession(@Body() dto: InitializeSessionDto): Promise<SessionResponse> {
    const { applicationIdentifier, hmacHash: hmac, subscriberId, firstName, lastName, email, phone } = dto;
    const subscriber = { subscriberId, firstName, lastName, email, phone };
    const session = await this.sessions.open({ applicationIdentifier, subscriber, hmac });
    return showSession(session.token, session.subscriber);
  }
}

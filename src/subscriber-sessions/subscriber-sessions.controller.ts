import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, Public } from '#libs/http-kit';
import { InitializeSessionDto } from './session.dto.js';
import { SessionResponse } from './session.response.js';
import { SubscriberSessionsService } from './subscriber-sessions.service.js';

const MAX_BODY_BYTES = 16_384;

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
  @Public({ maxBodyBytes: MAX_BODY_BYTES })
  @ApiData(201, SessionResponse)
  @ApiErrors(400, 404, 413, 415, 429, 503)
  initializeWidgetSession(@Body() dto: InitializeSessionDto): Promise<SessionResponse> {
    return this.sessions.initialize(dto);
  }
}

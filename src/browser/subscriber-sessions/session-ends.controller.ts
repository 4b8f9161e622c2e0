import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, NeedsScope, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { SessionEnds } from './session-ends.js';

@Controller({ version: '1' })
export class SessionEndsController {
  constructor(private readonly ends: SessionEnds) {}

  /**
   * Ends the sessions of a subscriber.
   * @remarks Tokens that were issued before are refused within a second, and open sockets and streams are closed. The
   * subscriber can open new sessions.
   */
  @Delete('subscribers/:subscriberId/sessions')
  @ApiTags('Subscribers')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The sessions have ended' })
  @ApiErrors(404)
  endSubscriberSessions(@Tenant() tenant: TenantContext, @Param('subscriberId') subscriberId: string): Promise<void> {
    return this.ends.ofSubscriber(tenant, subscriberId);
  }

  /**
   * Ends all sessions of your environment.
   * @remarks Call it after you began to demand the HMAC: sessions that were opened without one end as well. Tokens that were
   * issued before are refused within a second, and open sockets and streams are closed within a minute.
   */
  @Delete('environments/me/sessions')
  @ApiTags('Environments')
  @NeedsScope('admin')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The sessions have ended' })
  endEnvironmentSessions(@Tenant() tenant: TenantContext): Promise<void> {
    return this.ends.ofEnvironment(tenant);
  }
}

import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, Audited, NeedsScope, Tenant } from '#libs/http-kit';
import { AuditedSubscriber } from '../../audience/subscribers/index.js';
import type { TenantContext } from '#libs/common';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { SessionEnds } from './session-ends.js';

@Controller({ path: 'subscribers', version: '1' })
@ApiTags('Subscribers')
@AuditedSubscriber()
export class SubscriberSessionEndsController {
  constructor(private readonly ends: SessionEnds) {}

  /**
   * Ends the sessions of a subscriber.
   * @remarks Tokens that were issued before are refused within a second, and open sockets and streams are closed. The
   * subscriber can open new sessions.
   */
  @Delete(':subscriberId/sessions')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The sessions have ended' })
  @ApiErrors(SubscriberNotFound)
  endSubscriberSessions(@Tenant() tenant: TenantContext, @Param('subscriberId') subscriberId: string): Promise<void> {
    return this.ends.ofSubscriber(tenant, subscriberId);
  }
}

@Controller({ path: 'environments', version: '1' })
@ApiTags('Environments')
@Audited('environment')
export class EnvironmentSessionEndsController {
  constructor(private readonly ends: SessionEnds) {}

  /**
   * Ends all sessions of your environment.
   * @remarks Call it after you began to demand the HMAC: sessions that were opened without one end as well. Tokens that were
   * issued before are refused within a second, and open sockets and streams are closed within a minute.
   */
  @Delete('me/sessions')
  @NeedsScope('admin')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The sessions have ended' })
  endEnvironmentSessions(@Tenant() tenant: TenantContext): Promise<void> {
    return this.ends.ofEnvironment(tenant);
  }
}

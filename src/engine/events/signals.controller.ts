import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, Audited, NeedsScope, Tenant } from '#libs/http-kit';
import { SignalDto, SignalResponse } from './signal.dto.js';
import { SignalsService } from './signals.service.js';
import { SignalTooLarge, SignalWithoutTarget } from './events.errors.js';

@ApiTags('Events')
@NeedsScope('trigger')
@Controller({ path: 'events/signal', version: '1' })
@Audited('signal', { keys: 'never' })
export class SignalsController {
  constructor(private readonly signals: SignalsService) {}

  /**
   * Tells waiting notifications that something has happened.
   * @remarks Ends the waits of `wait_for_event` steps that wait for this name: with `match`, those whose values are all in
   * `payload`; the others if `transactionId` or `subscriberId` names them. Where several are given, all must fit. Waits that
   * begin later find the signal as well, if it is of the same event: it names its `transactionId`, or came after the trigger.
   * Signals are kept for 30 days. Send an `Idempotency-Key` to repeat a request without a second signal.
   */
  @Post()
  @HttpCode(200)
  @ApiData(200, SignalResponse)
  @ApiErrors(SignalWithoutTarget, SignalTooLarge)
  sendSignal(@Tenant() tenant: TenantContext, @Body() dto: SignalDto): Promise<SignalResponse> {
    return this.signals.send(tenant, dto);
  }
}

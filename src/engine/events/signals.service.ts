import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { shown } from '#libs/http-kit';
import { AwaitingRuns, valueKeys } from '../delivery/index.js';
import { type SignalDto, SignalResponse } from './signal.dto.js';
import { SignalTooLarge, SignalWithoutTarget } from './events.errors.js';

/** It is kept with each run that it wakes. */
const MAX_BYTES = 10_000;

@Injectable()
export class SignalsService {
  constructor(private readonly waits: AwaitingRuns) {}

  /** @throws {SignalWithoutTarget} @throws {SignalTooLarge} */
  async send(
    tenant: TenantContext,
    { name, transactionId, subscriberId, payload }: SignalDto,
  ): Promise<SignalResponse> {
    const signal = {
      name,
      ...(transactionId && { transactionId }),
      ...(subscriberId && { subscriberId }),
      payload: payload ?? {},
    };
    const bytes = Buffer.byteLength(JSON.stringify(signal.payload));
    if (bytes > MAX_BYTES) throw new SignalTooLarge(bytes, MAX_BYTES);
    const isForNobody = !signal.transactionId && !signal.subscriberId && valueKeys(signal).length === 0;
    if (isForNobody) throw new SignalWithoutTarget();
    return shown(SignalResponse, { woken: await this.waits.signal(tenant, signal) });
  }
}

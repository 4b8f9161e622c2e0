import { Injectable } from '@nestjs/common';
import { type AddressChannel, addressKey } from '#libs/channels';
import { SUPPRESSED_MESSAGES } from '#libs/telemetry';
import { AddressSuppressions } from '../../../content/suppressions/index.js';
import { tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';

/**
 * Who may be reached: every address of a message is asked for here, whoever names it, and after everything that can add one. Tests
 * are sent anyway: somebody asks for them.
 */
@Injectable()
export class SuppressionGate {
  constructor(private readonly suppressions: AddressSuppressions) {}

  /** @returns why nothing is sent to an address; undefined if it may be used */
  async of(
    { run }: StepTask,
    channel: AddressChannel,
    addresses: readonly string[],
  ): Promise<(address: string) => string | undefined> {
    if (run.event.test !== undefined) return () => undefined;
    const reasons = new Map(await this.suppressions.reasonsFor(tenantOf(run.event), channel, addresses));
    const { badAddresses, email, phone } = run.facts.subscriber;
    const own = channel === 'email' ? email : phone;
    // Those of the subscriber are read with the run: another process may have learned of them just now.
    const bad = badAddresses[channel];
    if (bad !== undefined && own !== undefined) reasons.set(addressKey(channel, own), bad.reason);
    return (address) => reasons.get(addressKey(channel, address));
  }
}

/** Counts a message, once, and not in a rehearsal. */
export function noteSuppressed({ state, witness }: StepTask, channel: AddressChannel): void {
  if (state.attempt === 0 && witness === undefined) SUPPRESSED_MESSAGES.add({ channel });
}

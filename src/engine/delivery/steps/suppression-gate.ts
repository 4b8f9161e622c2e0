import { Injectable } from '@nestjs/common';
import { SUPPRESSED_MESSAGES } from '#libs/telemetry';
import { ListedAddresses } from '../../../management/suppressions/index.js';
import { environmentOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';

type AddressChannel = 'email' | 'sms';

/** Whether an address is suppressed, whoever has it. Tests are sent anyway: somebody asks for them. */
@Injectable()
export class SuppressionGate {
  constructor(private readonly listed: ListedAddresses) {}

  /** @returns why nothing is sent to the address */
  async reasonFor(task: StepTask, channel: AddressChannel, address: string): Promise<string | undefined> {
    const { event } = task.run;
    if (event.test !== undefined) return undefined;
    const reason = await this.listed.reasonFor({ environmentId: environmentOf(task.run) }, channel, address);
    if (reason !== undefined) noteSuppressed(task, channel);
    return reason;
  }
}

/** Counts a message, once, and not in a rehearsal. */
export function noteSuppressed({ state, witness }: StepTask, channel: AddressChannel): void {
  if (state.attempt === 0 && witness === undefined) SUPPRESSED_MESSAGES.add({ channel });
}

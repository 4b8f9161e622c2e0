import { Injectable } from '@nestjs/common';
import { messageIdFor, SentMessages } from '../../messages/index.js';
import { type BegunCall, openCalls } from '../records/begun-call.js';
import type { StepTask } from '../run/step-handler.js';

/** A call that an earlier holder of the run has begun and whose outcome it has not recorded. */
export interface InterruptedCall extends BegunCall {
  /** The provider has accepted the message: only the state of the run was not written. */
  readonly isSent: boolean;
}

/** By the key of the target. */
export type InterruptedCallsOfStep = ReadonlyMap<string, InterruptedCall>;

const NONE: InterruptedCallsOfStep = new Map();

@Injectable()
export class InterruptedCalls {
  constructor(private readonly sent: SentMessages) {}

  async of({ run, state }: StepTask): Promise<InterruptedCallsOfStep> {
    const calls = openCalls(state);
    if (calls.length === 0) return NONE;
    const messages = await this.sent.ofNotifications([run.record]);
    const ids = new Set(messages.map(({ _id }) => _id.toHexString()));
    return new Map(
      calls.map((call) => {
        const id = messageIdFor({ notificationId: run.record._id, jobId: state._id, target: call.target });
        return [call.target, { ...call, isSent: ids.has(id.toHexString()) }];
      }),
    );
  }
}

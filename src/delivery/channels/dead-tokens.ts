import { Injectable } from '@nestjs/common';
import { SubscribersService } from '../../subscribers/index.js';
import { tenantOf } from '../run/run.js';
import type { StepTask } from '../steps/step-handler.js';
import type { TargetResult } from './target-sender.js';

/** Takes device tokens away from subscribers that a provider says are dead. */
@Injectable()
export class DeadTokens {
  constructor(private readonly subscribers: SubscribersService) {}

  async remove({ run }: StepTask, results: readonly { readonly result: TargetResult }[]): Promise<void> {
    for (const { result } of results) {
      if (result.kind === 'retry' || !result.invalidTokens?.length || result.providerId === undefined) continue;
      const { providerId, invalidTokens } = result;
      await this.subscribers.removeDeviceTokens(
        tenantOf(run.event),
        run.record.subscriberId,
        providerId,
        invalidTokens,
      );
    }
  }
}

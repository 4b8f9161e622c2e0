import { Injectable } from '@nestjs/common';
import { SubscribersService } from '../../subscribers/index.js';
import { tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';

/** What became of a target, as far as tokens are concerned. */
interface TokenReport {
  readonly providerId?: string;
  readonly invalidTokens?: readonly string[];
}

/** Takes device tokens away from subscribers that a provider says are dead. */
@Injectable()
export class DeadTokens {
  constructor(private readonly subscribers: SubscribersService) {}

  async remove({ run }: StepTask, reports: readonly TokenReport[]): Promise<void> {
    for (const { providerId, invalidTokens } of reports) {
      if (!invalidTokens?.length || providerId === undefined) continue;
      await this.subscribers.removeDeviceTokens(
        tenantOf(run.event),
        run.record.subscriberId,
        providerId,
        invalidTokens,
      );
    }
  }
}

import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { Background, LeasedWorker } from '#libs/work';
import { NotificationReplay } from './notification-replay.schema.js';
import { ReplayPortions } from './replay-portions.js';
import { ReplayQueue } from './replay-queue.js';

/** Replays are rare, so an idle process polls less often. */
const MIN_POLL_MS = 5_000;

@Injectable()
export class ReplayWorker extends LeasedWorker<NotificationReplay> {
  constructor(
    queue: ReplayQueue,
    private readonly portions: ReplayPortions,
    background: Background,
    config: AppConfig,
  ) {
    super({
      config,
      background,
      queue,
      suspects: queue.suspectsOfProcess,
      slots: 4,
      slotsOfOne: 2,
      groupOf: ({ _environmentId }) => _environmentId.toHexString(),
      minPollMs: MIN_POLL_MS,
      hasParts: true,
      setAside: (rows) => portions.setAside(rows),
    });
  }

  protected carryOut(row: NotificationReplay): Promise<void> {
    return this.portions.next(row);
  }
}

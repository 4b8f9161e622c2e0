import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { AppConfig } from '#libs/config';
import { DETAIL, ExecutionDetailsService } from '../../execution-details/index.js';
import { type NotificationRecord, NotificationStore } from '../../notifications/index.js';
import type { LoadedRuns } from '../facts/run-loader.js';
import { ownerOf } from './details-of.js';
import { applyResult, cancelPending, currentStep, finishRun } from './transitions.js';

const TEXTS = {
  event_missing: 'The event of this notification is no longer kept.',
  subscriber_missing: 'The subscriber was deleted.',
} as const;

/** Ends notifications that cannot go on because what they are made of is gone. */
@Injectable()
export class LostRuns {
  private readonly retentionDays: number;

  constructor(
    private readonly notifications: NotificationStore,
    private readonly details: ExecutionDetailsService,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  async end(lost: LoadedRuns['lost']): Promise<void> {
    if (lost.length === 0) return;
    const now = this.clock.now();
    await this.details.append(
      lost.map(({ record, reason }) => {
        const step = currentStep(record);
        return {
          ...ownerOf(record),
          entries: step
            ? [{ jobId: step._id, channel: step.type, detail: DETAIL.notificationError, raw: TEXTS[reason], at: now }]
            : [],
        };
      }),
    );
    const writes = lost.map(({ record, reason }) => ({ record, lease: record.lease ?? '', reason }));
    for (const { record, reason } of writes) this.fail(record, reason, now);
    await this.notifications.save(writes.map(({ record, lease }) => ({ record, lease, evenIfCanceled: true })));
  }

  private fail(record: NotificationRecord, reason: keyof typeof TEXTS, now: Date): void {
    cancelPending(record, reason, now);
    applyResult(
      record,
      { kind: 'failed', reason, error: TEXTS[reason] },
      { now, shouldStopOnFail: true, retentionDays: this.retentionDays },
    );
    if (record.status === 'active') finishRun(record, 'failed', now, this.retentionDays);
  }
}

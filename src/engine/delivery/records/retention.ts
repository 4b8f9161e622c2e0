import { Injectable } from '@nestjs/common';
import { ExecutionDetailsService } from '../../execution-details/index.js';
import { Erasures } from '../../../audience/subscribers/index.js';
import { AttachmentStore } from './attachments.js';
import type { NotificationRecord } from './notification.js';
import { type TriggerEventRecord, TriggerEventStore } from './trigger-event.js';
import { WorkflowSnapshots } from './workflow-version.js';

interface WaitingRun {
  readonly event: TriggerEventRecord;
  readonly record: NotificationRecord;
}

/** Waits that end this soon after the event's creation need no longer retention. */
const COVERED_MS = 86_400_000;

/**
 * Keeps events, their files, their workflow's version and the trails of their runs as long as one of the runs waits, even
 * for months, and keeps nothing of deleted subscribers.
 */
@Injectable()
export class EventRetention {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly attachments: AttachmentStore,
    private readonly snapshots: WorkflowSnapshots,
    private readonly details: ExecutionDetailsService,
    private readonly erasures: Erasures,
  ) {}

  /**
   * Call it after runs were written: nothing stays of those whose subscriber was deleted in the meantime.
   * @returns the record ids of deleted subscribers
   */
  removeErased(records: readonly NotificationRecord[]): Promise<ReadonlySet<string>> {
    return this.erasures.removeLateWrites(records);
  }

  deletedAmong(records: readonly NotificationRecord[]): Promise<ReadonlySet<string>> {
    return this.erasures.deletedAmong(records);
  }

  /** @param waits runs, and until when each waits */
  async keep(waits: readonly (readonly [WaitingRun, Date])[]): Promise<void> {
    const long = waits.filter(([{ event }, until]) => until.getTime() > event.createdAt.getTime() + COVERED_MS);
    if (long.length === 0) return;
    const latest = new Date(Math.max(...long.map(([, until]) => until.getTime())));
    const events = [...new Map(long.map(([{ event }]) => [event._id.toHexString(), event])).values()];
    await Promise.all([
      this.events.keepFrom(events, latest),
      this.attachments.keepFrom(events, latest),
      this.snapshots.keepFrom([...new Set(events.map(({ snapshotId }) => snapshotId))], latest),
      this.details.keepFrom(
        long.map(([{ record }]) => record),
        latest,
      ),
    ]);
  }
}

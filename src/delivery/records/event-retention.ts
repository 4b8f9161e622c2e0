import { Injectable } from '@nestjs/common';
import { ExecutionDetailsService } from '../../execution-details/index.js';
import { TriggerEventStore } from './trigger-event-store.js';
import { AttachmentStore } from './attachment-store.js';
import { WorkflowSnapshots } from './workflow-snapshots.js';
import type { Run } from '../run/run.js';

/** Waits that end within this time of an event's creation are covered by what it is kept for anyway. */
const COVERED_MS = 86_400_000;

/**
 * Keeps events, their files, their workflow's version and the trails of their runs as long as something of them waits, be it
 * for months.
 */
@Injectable()
export class EventRetention {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly attachments: AttachmentStore,
    private readonly snapshots: WorkflowSnapshots,
    private readonly details: ExecutionDetailsService,
  ) {}

  /** @param waits runs, and until when they wait */
  async keep(waits: readonly (readonly [Pick<Run, 'event' | 'record'>, Date])[]): Promise<void> {
    const long = waits.filter(([{ event }, until]) => until.getTime() > event.createdAt.getTime() + COVERED_MS);
    if (long.length === 0) return;
    const latest = new Date(Math.max(...long.map(([, until]) => until.getTime())));
    const events = [...new Map(long.map(([{ event }]) => [event._id.toHexString(), event])).values()];
    await Promise.all([
      this.events.keepFrom(
        events.map(({ _id }) => _id),
        latest,
      ),
      this.attachments.keepFrom(events, latest),
      this.snapshots.keepFrom([...new Set(events.map(({ snapshotId }) => snapshotId))], latest),
      this.details.keepFrom(
        long.map(([{ record }]) => record),
        latest,
      ),
    ]);
  }
}

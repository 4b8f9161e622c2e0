import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Clock } from '#libs/clock';
import { WakeUps } from '#libs/queue';
import type { TenantContext } from '#libs/tenancy';
import { type NotificationRecord, NotificationStore, TriggerEventStore } from '../../notifications/index.js';
import { WorkflowSnapshots } from '../facts/workflow-snapshots.js';
import { EventNoLongerKept, JobUnknown, NothingToReplay, NotificationUnknown, StillRunning } from './replay.errors.js';
import { replayRun } from './replay-run.js';

/** Has failed steps carried out again (decisions 6.5). */
@Injectable()
export class ReplayService {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
    private readonly snapshots: WorkflowSnapshots,
    private readonly clock: Clock,
    private readonly wakeUps: WakeUps,
  ) {}

  /** Replays one failed step, or all of them. @throws {NotificationUnknown} @throws {JobUnknown} @throws {StillRunning} @throws {NothingToReplay} */
  async replay(tenant: TenantContext, id: string, jobId?: string): Promise<void> {
    const record = await this.notifications.collection.findOne({
      _id: new Types.ObjectId(id),
      _environmentId: new Types.ObjectId(tenant.environmentId),
    });
    if (record === null) throw new NotificationUnknown(id);
    if (jobId !== undefined && !record.steps.some(({ _id }) => _id.toHexString() === jobId))
      throw new JobUnknown(jobId);
    const before = record.updatedAt;
    const refusal = replayRun(record, this.clock.now(), jobId === undefined ? undefined : new Set([jobId]));
    if (refusal === 'running') throw new StillRunning();
    if (refusal === 'nothing_failed') throw new NothingToReplay();
    await this.write(record, before);
    this.wakeUps.notify();
  }

  private async write(record: NotificationRecord, before: Date): Promise<void> {
    const [event] = await this.events.findByIds([record._eventId]);
    const workflow = event && (await this.snapshots.find([event.snapshotId])).get(event.snapshotId);
    const step = workflow?.steps[record.current];
    if (step === undefined) throw new EventNoLongerKept();
    const { status, current, steps, wakeAt, updatedAt } = record;
    const { matchedCount } = await this.notifications.collection.updateOne(
      { _id: record._id, updatedAt: before, status: { $ne: 'active' } },
      {
        $set: { status, current, steps, wakeAt: wakeAt ?? updatedAt, updatedAt, lane: step.lane },
        $unset: { expireAt: 1 },
      },
    );
    // Somebody else has replayed it at the same moment.
    if (matchedCount === 0) throw new StillRunning();
  }
}

import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { defineError } from '#libs/http-kit';
import { WakeUps } from '#libs/work';
import { DETAIL, ExecutionDetailsService, extendTrail, type NewDetail } from '../../execution-details/index.js';
import { type NotificationRecord, NotificationStore, type StepState } from '../records/notification.js';
import { TriggerEventStore } from '../records/trigger-event.js';
import { WorkflowSnapshots } from '../records/workflow-version.js';
import { ownerOf } from '../run/run.js';
import { queueReplay } from '../run/store-transitions.js';
import { replayRun } from '../run/transitions.js';

export const NotificationNotFound = defineError(
  404,
  'notification_not_found',
  (id: string) => `This environment has no notification with the id '${id}'. List them with GET /v1/notifications.`,
);

const JobUnknown = defineError(
  404,
  'job_not_found',
  (id: string) => `The notification has no job with the id '${id}'. GET /v1/notifications/{id} lists them.`,
);

const StillRunning = defineError(
  409,
  'notification_running',
  'The notification has not ended yet. Replay it after it has ended.',
);

const NothingToReplay = defineError(409, 'nothing_to_replay', 'No step has failed, so there is nothing to replay.');

const MayHaveBeenSent = defineError(
  409,
  'may_have_been_sent',
  'The provider may have accepted the message, so the recipient could receive it twice. Check with the provider, or replay it with {"includeUncertain": true}.',
);

const EventNoLongerKept = defineError(
  409,
  'event_no_longer_kept',
  'The event of this notification is no longer stored, so it cannot be replayed. Trigger it again.',
);

@Injectable()
export class ReplayService {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
    private readonly snapshots: WorkflowSnapshots,
    private readonly details: ExecutionDetailsService,
    private readonly clock: Clock,
    private readonly wakeUps: WakeUps,
  ) {}

  /**
   * Replays one failed step, or all of them.
   * @throws {NotificationNotFound} @throws {JobUnknown} @throws {StillRunning} @throws {NothingToReplay} @throws {MayHaveBeenSent}
   */
  async replay(
    tenant: TenantContext,
    id: string,
    { jobId, includesUncertain }: { readonly jobId?: string; readonly includesUncertain: boolean },
  ): Promise<void> {
    const record = await this.notifications.collection.findOne({
      _id: new Types.ObjectId(id),
      _environmentId: new Types.ObjectId(tenant.environmentId),
    });
    if (record === null) throw new NotificationNotFound(id);
    if (jobId !== undefined && !record.steps.some(({ _id }) => _id.toHexString() === jobId))
      throw new JobUnknown(jobId);
    const before = record.updatedAt;
    const failed = record.steps.filter(({ status }) => status === 'failed');
    const now = this.clock.now();
    const jobIds = jobId === undefined ? {} : { jobIds: new Set([jobId]) };
    const refusal = replayRun(record, now, { ...jobIds, includesUncertain });
    if (refusal === 'running') throw new StillRunning();
    if (refusal === 'nothing_failed') throw new NothingToReplay();
    if (refusal === 'uncertain') throw new MayHaveBeenSent();
    const replayed = failed.filter(({ status }) => status !== 'failed');
    // A trail that has no room for them is stored apart, after the replay.
    const rest = extendTrail(record, entriesOf(tenant, replayed, now), now);
    await this.write(record, before);
    await this.details.append([{ ...ownerOf(record), entries: rest }]);
    this.wakeUps.notify();
  }

  private async write(record: NotificationRecord, before: Date): Promise<void> {
    const [event] = await this.events.findByIds([record._eventId]);
    const workflow = event && (await this.snapshots.find([event.snapshotId])).get(event.snapshotId);
    const step = workflow?.steps[record.current];
    if (step === undefined) throw new EventNoLongerKept();
    const { matchedCount } = await this.notifications.collection.updateOne(
      { _id: record._id, updatedAt: before, status: { $ne: 'active' } },
      queueReplay(record, step.lane),
    );
    // Another request has replayed it at the same moment.
    if (matchedCount === 0) throw new StillRunning();
  }
}

/** The trail names the key that replayed each step. */
function entriesOf({ apiKeyId, userId }: TenantContext, steps: readonly StepState[], at: Date): NewDetail[] {
  return steps.map(({ _id, type, replays }) => ({
    jobId: _id,
    channel: type,
    detail: DETAIL.stepReplayed,
    isRetry: true,
    at,
    raw: { by: { keyId: apiKeyId, userId }, at, replays },
  }));
}

import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { WakeUps } from '#libs/work';
import { ExecutionDetailsService } from '../../execution-details/index.js';
import { type NotificationRecord, NotificationStore } from '../records/notification.js';
import { RunWorkflows } from '../records/workflow-version.js';
import { ownerOf } from '../run/run.js';
import { queueReplay } from '../run/store-transitions.js';
import {
  EventNoLongerKept,
  JobUnknown,
  MayHaveBeenSent,
  NothingToReplay,
  NotificationNotFound,
  StillRunning,
} from './actions.errors.js';
import { prepareReplay } from './prepare-replay.js';

@Injectable()
export class ReplayService {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly workflows: RunWorkflows,
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
    const jobIds = jobId === undefined ? {} : { jobIds: new Set([jobId]) };
    const prepared = prepareReplay(record, { ...jobIds, includesUncertain }, tenant, this.clock.now());
    if (prepared.refusal === 'running') throw new StillRunning();
    if (prepared.refusal === 'nothing_failed') throw new NothingToReplay();
    if (prepared.refusal === 'uncertain') throw new MayHaveBeenSent();
    await this.write(record, before);
    await this.details.append([{ ...ownerOf(record), entries: prepared.rest }]);
    this.wakeUps.notify();
  }

  private async write(record: NotificationRecord, before: Date): Promise<void> {
    const workflow = (await this.workflows.of([record])).get(record._eventId.toHexString());
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

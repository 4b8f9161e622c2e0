import { Injectable } from '@nestjs/common';
import { type mongo, Types } from 'mongoose';
import { Clock, FailPoint } from '#libs/common';
import { WakeUps } from '#libs/work';
import { type DetailBatch, ExecutionDetailsService } from '../../execution-details/index.js';
import { type NotificationRecord, NotificationStore } from '../records/notification.js';
import { type RunWorkflow, RunWorkflows } from '../records/workflow-version.js';
import { ownerOf } from '../run/run.js';
import { queueReplay } from '../run/store-transitions.js';
import { prepareReplay, type Replayer } from './prepare-replay.js';

/** Before the notifications of a portion are replayed. */
export const REPLAYING = new FailPoint<Types.ObjectId>('replay.portion');

/**
 * What became of a notification in a replay of many: `running` it is not over, or was changed at the same moment;
 * `nothing_failed`; `uncertain` a provider may have accepted the message; `event_gone` its event is no longer stored.
 */
export const REPLAY_RESULTS = ['replayed', 'running', 'nothing_failed', 'uncertain', 'event_gone'] as const;
export type ReplayResult = (typeof REPLAY_RESULTS)[number];

export interface BulkReplay {
  readonly id: Types.ObjectId;
  readonly environmentId: Types.ObjectId;
  readonly by: Replayer;
  readonly includesUncertain: boolean;
}

type Write = mongo.AnyBulkWriteOperation<NotificationRecord>;

/** Replays notifications in portions. Each names the replays that it was part of, so none is replayed twice by the same. */
@Injectable()
export class BulkReplayer {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly workflows: RunWorkflows,
    private readonly details: ExecutionDetailsService,
    private readonly clock: Clock,
    private readonly wakeUps: WakeUps,
  ) {}

  /**
   * Replays the failed steps of notifications. Repeated for the same replay, it answers the same for those that it has
   * replayed, and replays them no more.
   * @returns what became of each that is still stored
   */
  async replay(replay: BulkReplay, ids: readonly Types.ObjectId[]): Promise<ReplayResult[]> {
    await REPLAYING.pass(replay.id);
    const rows = await this.find(replay, ids);
    const workflows = await this.workflows.of(rows.filter((row) => !isPartOf(row, replay)));
    const results = new Map<string, ReplayResult>();
    const writes: Write[] = [];
    const rest = new Map<string, DetailBatch>();
    for (const row of rows) {
      const id = row._id.toHexString();
      const { result, write, details } = this.prepare(row, replay, workflows.get(row._eventId.toHexString()));
      results.set(id, result);
      if (write !== undefined) writes.push(write);
      if (details !== undefined) rest.set(id, details);
    }
    if (writes.length > 0) {
      const { matchedCount } = await this.notifications.collection.bulkWrite(writes, { ordered: false });
      if (matchedCount < writes.length) {
        const done = await this.replayedAmong(replay, ids);
        for (const [id, result] of results) if (result === 'replayed' && !done.has(id)) results.set(id, 'running');
      }
      await this.details.append([...rest].flatMap(([id, batch]) => (results.get(id) === 'replayed' ? [batch] : [])));
      this.wakeUps.notify();
    }
    return [...results.values()];
  }

  /** The ids of those that the replay has replayed. */
  async replayedAmong({ id, environmentId }: BulkReplay, ids: readonly Types.ObjectId[]): Promise<Set<string>> {
    const rows = await this.notifications.collection
      .find({ _id: { $in: [...ids] }, _environmentId: environmentId, replayIds: id }, { projection: { _id: 1 } })
      .toArray();
    return new Set(rows.map(({ _id }) => _id.toHexString()));
  }

  private prepare(
    row: NotificationRecord,
    replay: BulkReplay,
    workflow: RunWorkflow | undefined,
  ): { readonly result: ReplayResult; readonly write?: Write; readonly details?: DetailBatch } {
    if (isPartOf(row, replay)) return { result: 'replayed' };
    const { updatedAt } = row;
    const { includesUncertain, by, id } = replay;
    const prepared = prepareReplay(row, { includesUncertain }, by, this.clock.now());
    if (prepared.refusal !== undefined) return { result: prepared.refusal };
    const step = workflow?.steps[row.current];
    if (step === undefined) return { result: 'event_gone' };
    return {
      result: 'replayed',
      write: {
        updateOne: {
          filter: { _id: row._id, updatedAt, status: { $ne: 'active' }, replayIds: { $ne: id } },
          update: { ...queueReplay(row, step.lane), $addToSet: { replayIds: id } },
        },
      },
      ...(prepared.rest.length > 0 && { details: { ...ownerOf(row), entries: prepared.rest } }),
    };
  }

  private find({ environmentId }: BulkReplay, ids: readonly Types.ObjectId[]): Promise<NotificationRecord[]> {
    return this.notifications.collection.find({ _id: { $in: [...ids] }, _environmentId: environmentId }).toArray();
  }
}

function isPartOf({ replayIds }: NotificationRecord, { id }: BulkReplay): boolean {
  return replayIds?.some((one) => one.equals(id)) === true;
}

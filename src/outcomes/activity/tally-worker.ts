import { Injectable } from '@nestjs/common';
import { Clock, OnDomainEvent, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { isStoreUnavailable, toObjectId } from '#libs/persistence';
import { AppWorker, Background, FairSlots, LeaseLost, Worker, WorkQueue } from '#libs/work';
import { AttemptsEnded } from '../../engine/delivery/index.js';
import { MessagesMarked } from '../../engine/messages/records/index.js';
import { EnvironmentReady } from '../../platform/environments/index.js';
import { ActivityTallies, type PassResult } from './activity-tallies.js';
import { DAY_MS, HOUR_MS, type TallyWork } from './tally.schema.js';
import { TallyStore } from './tally-store.js';

const LEASE_MS = 60_000;
const RENEWAL_MS = 15_000;
/** What happens in an environment within this time is told at once, and counted after it. */
const TELL_AFTER_MS = 60_000;
/** An idle process looks this often. */
const POLL_MS = 60_000;
/** Counting takes a tenth of the time at most. */
const REST_FACTOR = 9;
/**
 * Looks of an environment in which nothing has happened for long become rare. Not everything is told: a process may have died
 * before it did, and runs that skip all their steps tell nothing.
 */
const WAIT_MS = { least: HOUR_MS, most: DAY_MS };

type Owner = Pick<TenantContext, 'environmentId' | 'organizationId'>;

/**
 * One worker at a time counts the records of an environment. A lease keeps others from doing the same work; if two do it
 * nevertheless, the result is the same.
 */
@Injectable()
export class TallyWorker extends AppWorker {
  private readonly queue: WorkQueue<TallyWork>;
  protected readonly worker: Worker;
  private readonly capacity = new Map([[undefined, new FairSlots(1, 1)]]);
  private readonly active = new Map<string, Owner>();
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;

  constructor(
    private readonly tallies: ActivityTallies,
    private readonly store: TallyStore,
    private readonly clock: Clock,
    config: AppConfig,
    private readonly logger: AppLogger,
  ) {
    super(config);
    this.queue = new WorkQueue({
      collection: () => store.work,
      groupBy: '_environmentId',
      clock,
      leaseMs: LEASE_MS,
    });
    const nothingToDo = (): Promise<void> => Promise.resolve();
    this.worker = new Worker({
      sources: [
        {
          claim: () => this.takeTurn(),
          nextWakeAt: () => this.queue.nextWakeAt(),
          renew: nothingToDo,
          settle: nothingToDo,
        },
      ],
      background: new Background((error) => logger.error(error, TallyWorker.name)),
      clock,
      leaseMs: LEASE_MS,
      pollMs: POLL_MS,
    });
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await super.beforeApplicationShutdown();
    await this.tellInBackground();
  }

  /** For tests: works until nothing is due, with a `ManualClock` up to this moment. */
  override async drain(until?: Date): Promise<void> {
    await this.tell();
    await super.drain(until);
  }

  /** At every start as well: a process may have died before it told what had happened. */
  @OnDomainEvent(EnvironmentReady)
  onReady({ owner }: EnvironmentReady): Promise<void> {
    return this.note(owner);
  }

  @OnDomainEvent(AttemptsEnded)
  onAttempts({ runs }: AttemptsEnded): Promise<void> {
    for (const { record } of runs) {
      const { _environmentId, _organizationId } = record;
      const environmentId = _environmentId.toHexString();
      if (!this.active.has(environmentId))
        void this.note({ environmentId, organizationId: _organizationId.toHexString() });
    }
    return Promise.resolve();
  }

  @OnDomainEvent(MessagesMarked)
  onMarked({ tenant }: MessagesMarked): Promise<void> {
    return this.note(tenant);
  }

  private note({ environmentId, organizationId }: Owner): Promise<void> {
    this.active.set(environmentId, { environmentId, organizationId });
    if (!this.isEnding) this.timer ??= setTimeout(() => void this.tellInBackground(), TELL_AFTER_MS).unref();
    return Promise.resolve();
  }

  private async tellInBackground(): Promise<void> {
    try {
      await this.tell();
      this.worker.wake();
    } catch (error) {
      this.logger.error(error, TallyWorker.name);
    }
  }

  /** That something has happened in these environments: their counts are due, unless they are made right now. */
  private async tell(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const told = [...this.active.values()];
    if (told.length === 0) return;
    this.active.clear();
    const now = this.clock.now();
    const due = { $min: [{ $ifNull: ['$wakeAt', now] }, { $max: [{ $ifNull: ['$restUntil', now] }, now] }] };
    const isFree = { $eq: [{ $type: '$lease' }, 'missing'] };
    try {
      await this.store.work.bulkWrite(
        told.map(({ environmentId, organizationId }) => ({
          updateOne: {
            filter: { _id: toObjectId(environmentId) },
            update: [
              {
                $set: {
                  _environmentId: toObjectId(environmentId),
                  _organizationId: toObjectId(organizationId),
                  activeAt: now,
                  wakeAt: { $cond: [isFree, due, '$wakeAt'] },
                },
              },
            ],
            upsert: true,
          },
        })),
        { ordered: false },
      );
    } catch (error) {
      for (const owner of told) await this.note(owner);
      throw error;
    }
  }

  private async takeTurn(): Promise<number> {
    const records = await this.queue.claim(this.capacity);
    for (const record of records) await this.carryOut(record);
    return records.length;
  }

  private async carryOut(record: TallyWork): Promise<void> {
    const begunAt = performance.now();
    try {
      const result = await this.tallies.pass(record, this.leaseKeeper(record));
      await this.save(record, result, performance.now() - begunAt);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      if (!isStoreUnavailable(error)) await this.queue.save([{ record, update: this.later() }]);
      throw error;
    }
  }

  /** Extends the lease from time to time. @throws {LeaseLost} if another worker has it, or the process ends */
  private leaseKeeper(record: TallyWork): () => Promise<void> {
    let renewedAt = performance.now();
    const lost = new LeaseLost({ record, lease: record.lease ?? '' });
    return async () => {
      if (this.isEnding) {
        await this.queue.release([record]);
        throw lost;
      }
      if (performance.now() - renewedAt < RENEWAL_MS) return;
      renewedAt = performance.now();
      const held = await this.queue.renew([record]);
      if (!held.has(record)) throw lost;
    };
  }

  /** What was told during the pass is counted soon. */
  private async save(record: TallyWork, { countedTo, readTo, nextAt }: PassResult, tookMs: number): Promise<void> {
    const now = this.clock.now().getTime();
    const restUntil = new Date(now + tookMs * REST_FACTOR);
    const quietMs = now - (record.activeAt?.getTime() ?? 0);
    const lookAt = now + Math.min(Math.max(quietMs, WAIT_MS.least), WAIT_MS.most);
    const wakeAt = new Date(Math.max(Math.min(nextAt?.getTime() ?? Infinity, lookAt), restUntil.getTime()));
    const $set = { countedTo, readTo, restUntil };
    const end = { $unset: { lease: 1, takenUp: 1 } } as const;
    const unchanged = record.activeAt === undefined ? { activeAt: { $exists: false } } : { activeAt: record.activeAt };
    const { matchedCount } = await this.store.work.updateOne(
      { _id: record._id, lease: record.lease ?? '', ...unchanged },
      { $set: { ...$set, wakeAt }, ...end },
    );
    if (matchedCount > 0) return;
    await this.queue.save([{ record, update: { $set: { ...$set, wakeAt: restUntil }, ...end } }]);
  }

  private later(): { $set: { wakeAt: Date }; $unset: Record<string, 1> } {
    return { $set: { wakeAt: new Date(this.clock.now().getTime() + POLL_MS) }, $unset: { lease: 1 } };
  }
}

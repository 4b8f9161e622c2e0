import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import type { TenantModel } from '#libs/persistence';
import { Background, BatchWorker, keysOf, WorkQueue } from '#libs/work';
import { type FeedChange, FeedSignals } from '../live/feed-signals.js';
import { enterState, WOKEN } from '../records/marks.js';
import { Message, MESSAGE_SHARD_KEY } from '../records/message.schema.js';

/** Messages per claim, and those of one environment among them. */
const BATCH = 100;
const BATCH_OF_ONE_ENVIRONMENT = 50;
const LEASE_MS = 10_000;
/** Snoozes last minutes at least, so an idle process polls less often. */
const MIN_POLL_MS = 5_000;

/**
 * A claim is a lease that guards the write: messages snoozed again, restored or deleted meanwhile are left alone, and
 * those of a dead worker are claimed by another.
 */
@Injectable()
export class SnoozeWorker extends BatchWorker<Message> {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly signals: FeedSignals,
    private readonly clock: Clock,
    config: AppConfig,
    logger: AppLogger,
  ) {
    super({
      config,
      background: new Background((error) => logger.error(error, 'Snoozed messages')),
      queue: new WorkQueue({
        collection: () => messages.collection as unknown as mongo.Collection<Message>,
        groupBy: '_environmentId',
        shardKey: MESSAGE_SHARD_KEY,
        clock,
        leaseMs: LEASE_MS,
      }),
      most: BATCH,
      mostOfOne: BATCH_OF_ONE_ENVIRONMENT,
      minPollMs: MIN_POLL_MS,
    });
  }

  /** Skips messages that have changed since the claim. */
  async carryOut(rows: readonly Message[]): Promise<void> {
    const { collection } = this.messages;
    const held = { ...keysOf(rows, MESSAGE_SHARD_KEY), lease: rows[0]?.lease };
    const now = this.clock.now();
    const { matchedCount } = await collection.updateMany({ ...held, deleted: false }, enterState(WOKEN, now));
    if (matchedCount === rows.length) this.announce(rows);
    else {
      // Deleted messages need no work.
      await collection.updateMany(held, { $unset: { wakeAt: 1, lease: 1, takenUp: 1 } });
      const woken = { ...held, lease: { $exists: false }, snoozedUntil: { $exists: false }, updatedAt: now };
      const fields = { projection: { _environmentId: 1, _subscriberId: 1 } };
      this.announce((await collection.find({ ...woken, deleted: false }, fields).toArray()) as unknown as Message[]);
    }
  }

  private announce(rows: readonly Pick<Message, '_id' | '_environmentId' | '_subscriberId'>[]): void {
    const changes = new Map<string, FeedChange & { readonly storedIds: string[] }>();
    for (const { _id, _environmentId, _subscriberId } of rows) {
      const subscriberId = _subscriberId.toHexString();
      const environmentId = _environmentId.toHexString();
      const change = changes.get(subscriberId) ?? {
        environmentId,
        subscriberId,
        storedIds: [],
        unseen: true,
        unread: true,
      };
      change.storedIds.push(_id.toHexString());
      changes.set(subscriberId, change);
    }
    if (changes.size > 0) this.signals.changed([...changes.values()]);
  }
}

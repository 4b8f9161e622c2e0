import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type mongo, Types } from 'mongoose';
import { nanoid } from 'nanoid';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { TenantModel } from '#libs/persistence';
import { WebhookDelivery } from '../webhook-delivery.schema.js';
import { type EndpointRoom, pickByEndpoint } from './pick-by-endpoint.js';

/** How many due rows one look takes in. Fewer due than this: everything that is due has been seen. */
const LOOK = 500;
/** Endpoints that get a turn in one claim under a backlog; the next claim goes on behind them. */
const TURNS = 32;
/** What a lease lasts longer than one attempt can. */
const MARGIN_MS = 20_000;

type Head = Pick<WebhookDelivery, '_id' | '_endpointId'>;

/**
 * Hands out due deliveries under leases. A lease is a token and a time: until then nobody else gets the row, and
 * afterwards it is simply due again, so a worker that died needs no clearing up. Every write of the holder names its
 * token. The queries see all environments: that is this class's job.
 */
@Injectable()
export class DeliveryQueue {
  private readonly leaseMs: number;
  private lastTurn: Types.ObjectId | undefined;

  constructor(
    @InjectModel(WebhookDelivery.name) private readonly deliveries: TenantModel<WebhookDelivery>,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.leaseMs = config.get('WEBHOOK_TIMEOUT_MS') + MARGIN_MS;
  }

  /** Takes due deliveries, at most as many as there is room for. */
  async claim(room: EndpointRoom): Promise<WebhookDelivery[]> {
    if (room.free <= 0) return [];
    const now = this.clock.now();
    const due = await this.heads({ wakeAt: { $lte: now } }, { wakeAt: 1 }, LOOK);
    const picked =
      due.length < LOOK
        ? pickByEndpoint(due, room, ({ _endpointId }) => _endpointId.toHexString())
        : await this.pickInTurns(room, now);
    return picked.length === 0 ? [] : this.lease(picked, now);
  }

  /** When the next delivery is due, leases that end included; undefined when nothing waits. */
  async nextWakeAt(): Promise<Date | undefined> {
    const [head] = await this.collection
      .find({ wakeAt: { $gt: new Date(0) } })
      .sort({ wakeAt: 1 })
      .limit(1)
      .project<{ wakeAt: Date }>({ wakeAt: 1 })
      .toArray();
    return head?.wakeAt;
  }

  /** Writes what became of deliveries whose leases still hold, in one call to the store. @returns how many */
  async save(changes: readonly { readonly row: WebhookDelivery; readonly update: mongo.Document }[]): Promise<number> {
    const { matchedCount } = await this.collection.bulkWrite(
      changes.map(({ row: { _id, lease }, update }) => ({ updateOne: { filter: { _id, lease }, update } })),
      { ordered: false },
    );
    return matchedCount;
  }

  /**
   * Whether the lease surely lasts until an attempt that begins now has ended. Where it may not, because the process stood
   * still, the store is asked and the lease is lengthened.
   */
  async holds(row: WebhookDelivery): Promise<boolean> {
    const now = this.clock.now();
    const left = (row.wakeAt?.getTime() ?? 0) - now.getTime();
    if (left > this.leaseMs - MARGIN_MS / 2 && left <= this.leaseMs) return true;
    const wakeAt = this.leaseEnd(now);
    const { matchedCount } = await this.collection.updateOne({ _id: row._id, lease: row.lease }, { $set: { wakeAt } });
    if (matchedCount === 1) row.wakeAt = wakeAt;
    return matchedCount === 1;
  }

  /** Gives deliveries back, to be claimed at once by anybody. */
  async release(rows: readonly WebhookDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    const update = { $set: { wakeAt: this.clock.now() }, $unset: { lease: 1 }, $inc: { takenUp: -1 } };
    await this.save(rows.map((row) => ({ row, update })));
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + this.leaseMs);
  }

  private async lease(heads: readonly Head[], now: Date): Promise<WebhookDelivery[]> {
    const lease = nanoid(16);
    const _id = { $in: heads.map((head) => head._id) };
    const { modifiedCount } = await this.collection.updateMany(
      { _id, wakeAt: { $lte: now } },
      { $set: { lease, wakeAt: this.leaseEnd(now) }, $inc: { takenUp: 1 } },
    );
    if (modifiedCount === 0) return [];
    return (await this.collection.find({ _id, lease }).toArray()) as unknown as WebhookDelivery[];
  }

  /** Under a backlog one look shows perhaps only one endpoint: so ask each for its share, a few at a time. */
  private async pickInTurns(room: EndpointRoom, now: Date): Promise<Head[]> {
    const endpoints = await this.nextEndpoints();
    const due = await Promise.all(
      endpoints.map(async (_endpointId) => {
        const limit = room.freeFor(_endpointId.toHexString());
        return limit <= 0 ? [] : this.heads({ _endpointId, wakeAt: { $lte: now } }, { wakeAt: 1 }, limit);
      }),
    );
    return pickByEndpoint(due.flat(), room, ({ _endpointId }) => _endpointId.toHexString());
  }

  /** Endpoints for which something waits, going on behind the last one that had its turn. */
  private async nextEndpoints(): Promise<Types.ObjectId[]> {
    const found: Types.ObjectId[] = [];
    const began = this.lastTurn;
    let hasWrapped = began === undefined;
    while (found.length < TURNS) {
      const next = await this.endpointAfter(this.lastTurn);
      if (next === undefined) {
        this.lastTurn = undefined;
        if (hasWrapped) break;
        hasWrapped = true;
        continue;
      }
      if (found.some((id) => id.equals(next))) break;
      this.lastTurn = next;
      found.push(next);
    }
    return found;
  }

  private async endpointAfter(after: Types.ObjectId | undefined): Promise<Types.ObjectId | undefined> {
    const filter = { wakeAt: { $gt: new Date(0) }, ...(after && { _endpointId: { $gt: after } }) };
    const [head] = await this.heads(filter, { _endpointId: 1, wakeAt: 1 }, 1);
    return head?._endpointId;
  }

  private heads(filter: mongo.Document, sort: mongo.Sort, limit: number): Promise<Head[]> {
    return this.collection.find(filter).sort(sort).limit(limit).project<Head>({ _endpointId: 1 }).toArray();
  }

  private get collection(): mongo.Collection {
    return this.deliveries.collection;
  }
}

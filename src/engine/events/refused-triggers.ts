import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, Types } from 'mongoose';
import { LRUCache } from 'lru-cache';
import { Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { onDuplicateKey, rawCollection, shardBy, shared } from '#libs/persistence';
import type { TriggerStatus } from './trigger-hints.js';

const DAY_MS = 86_400_000;
const MAX_FAULTS = 20;
const PER_SECOND = 20;
const MAX_SEARCHED = 500;
/** After a flood, the number of those that are not stored is written this much later. */
const OMITTED_AFTER_MS = 1_000;

export interface Refusal {
  readonly status: Exclude<TriggerStatus, 'processed'>;
  /** Of the error that answered it. */
  readonly code?: string;
  readonly reason: string;
  readonly name?: string;
  readonly workflowId?: string;
  readonly tenant?: string;
  readonly overrideId?: string;
  readonly error?: readonly string[];
}

/** The payload is not kept. */
export interface RefusedTriggerRecord extends Refusal {
  _id: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _environmentId: Types.ObjectId;
  transactionId: string;
  times: number;
  omitted?: number;
  createdAt: Date;
  updatedAt: Date;
  expireAt?: Date;
}

export const REFUSED_TRIGGER_MODEL = 'RefusedTrigger';

export const RefusedTriggerSchema = shared(
  new Schema({}, { collection: 'refusedTriggers', strict: false, versionKey: false, timestamps: false }),
);
shardBy(RefusedTriggerSchema, '_environmentId', 'transactionId');
RefusedTriggerSchema.index({ _environmentId: 1, transactionId: 1 }, { unique: true });
// lists, newest first
RefusedTriggerSchema.index({ _environmentId: 1, updatedAt: -1, _id: -1 });
// retention
RefusedTriggerSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** Kept as long as events, so that their state can be queried. */
@Injectable()
export class RefusedTriggers implements BeforeApplicationShutdown {
  private readonly perSecond = new PerSecond(PER_SECOND);
  private readonly omitted = new Map<string, { count: number; readonly timer: NodeJS.Timeout }>();
  private readonly retentionDays: number;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** Overwrites an earlier refusal. */
  async keep(tenant: TenantContext, transactionId: string, refusal: Refusal): Promise<void> {
    const now = this.clock.now();
    const { error, ...rest } = refusal;
    const $set = {
      ...rest,
      ...(error && { error: error.slice(0, MAX_FAULTS) }),
      updatedAt: now,
      ...(this.retentionDays > 0 && { expireAt: new Date(now.getTime() + (this.retentionDays + 1) * DAY_MS) }),
    };
    const optional = ['code', 'name', 'workflowId', 'tenant', 'overrideId', 'error'].filter((key) => !(key in $set));
    const write = (): Promise<unknown> =>
      this.collection.updateOne(
        { _environmentId: new Types.ObjectId(tenant.environmentId), transactionId },
        {
          $set,
          ...(optional.length > 0 && { $unset: Object.fromEntries(optional.map((key) => [key, 1])) }),
          $inc: { times: 1 },
          $setOnInsert: { _organizationId: new Types.ObjectId(tenant.organizationId), createdAt: now },
        },
        { upsert: true },
      );
    // If two inserts meet, the later one finds the record on its second attempt.
    await write().catch(onDuplicateKey(write));
  }

  /** As `keep`, for triggers that were answered with an error: of more than 20 a second, only the number is kept. */
  async sample(tenant: TenantContext, transactionId: string, refusal: Refusal): Promise<void> {
    if (this.perSecond.take(tenant.environmentId, this.clock.now())) return this.keep(tenant, transactionId, refusal);
    const known = this.omitted.get(tenant.environmentId);
    if (known !== undefined) known.count += 1;
    else {
      const write = (): void => void this.writeOmitted(tenant.environmentId).catch(() => undefined);
      this.omitted.set(tenant.environmentId, { count: 1, timer: setTimeout(write, OMITTED_AFTER_MS).unref() });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled([...this.omitted.keys()].map((environmentId) => this.writeOmitted(environmentId)));
  }

  /** With the newest record of the environment. */
  private async writeOmitted(environmentId: string): Promise<void> {
    const omitted = this.omitted.get(environmentId);
    if (omitted === undefined) return;
    clearTimeout(omitted.timer);
    this.omitted.delete(environmentId);
    await this.collection.findOneAndUpdate(
      { _environmentId: new Types.ObjectId(environmentId) },
      { $inc: { omitted: omitted.count } },
      { sort: { updatedAt: -1, _id: -1 } },
    );
  }

  find(tenant: TenantContext, transactionId: string): Promise<RefusedTriggerRecord | null> {
    return this.collection.findOne({ _environmentId: new Types.ObjectId(tenant.environmentId), transactionId });
  }

  /** Newest refusal first. */
  async page(
    tenant: TenantContext,
    page: number,
    limit: number,
  ): Promise<{ rows: RefusedTriggerRecord[]; hasMore: boolean }> {
    const rows = await this.collection
      .find({ _environmentId: new Types.ObjectId(tenant.environmentId) })
      .sort({ updatedAt: -1, _id: -1 })
      .skip(page * limit)
      .limit(limit + 1)
      .toArray();
    return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
  }

  /** Among the 500 newest refusals of that time, those of one workflow, newest first. */
  async ofWorkflow(
    { environmentId }: TenantContext,
    name: string,
    { from, to }: { readonly from: Date; readonly to: Date },
  ): Promise<RefusedTriggerRecord[]> {
    const rows = await this.collection
      .find({ _environmentId: new Types.ObjectId(environmentId), updatedAt: { $gte: from, $lte: to } })
      .sort({ updatedAt: -1, _id: -1 })
      .limit(MAX_SEARCHED)
      .toArray();
    return rows.filter((row) => row.name === name);
  }

  private get collection(): mongo.Collection<RefusedTriggerRecord> {
    return rawCollection<RefusedTriggerRecord>(this.connection, 'refusedTriggers');
  }
}

const MAX_KEYS = 10_000;

interface Second {
  readonly at: number;
  taken: number;
}

/** Lets a number of each key through in each second of this process. */
export class PerSecond {
  /** Limited by size: a limit of entries would reserve 0.4 MB at once. */
  private readonly seconds = new LRUCache<string, Second>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });

  constructor(private readonly limit: number) {}

  take(key: string, now: Date): boolean {
    const at = Math.floor(now.getTime() / 1_000);
    const known = this.seconds.get(key);
    const second = known?.at === at ? known : { at, taken: 0 };
    if (second !== known) this.seconds.set(key, second);
    second.taken += 1;
    return second.taken <= this.limit;
  }
}

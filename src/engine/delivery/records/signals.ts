import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, Types } from 'mongoose';
import { isObject } from '#libs/validation';
import { rawCollection, shardBy, shared } from '#libs/persistence';

/** What an application says has happened. */
export interface Signal {
  readonly name: string;
  readonly transactionId?: string;
  readonly subscriberId?: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface SignalRecord extends Signal {
  _id: Types.ObjectId;
  _environmentId: Types.ObjectId;
  /** Finds the waits that it answers, and is found by those that begin later. */
  keys: string[];
  createdAt: Date;
  expireAt: Date;
}

/** What a run that waits for a signal knows of itself. */
export interface SignalQuery {
  readonly environmentId: Types.ObjectId;
  readonly transactionId: string;
  readonly subscriberId: string;
  readonly keys: readonly string[];
  /** When the event of the run was accepted. */
  readonly since: Date;
}

/** Deeper and further values of a signal cannot be matched. */
const MAX_DEPTH = 5;
const MAX_VALUES = 50;
/** The longest wait. */
const KEPT_MS = 30 * 86_400_000;

const OF_TRANSACTION = 't';
const OF_SUBSCRIBER = 's';
const OF_VALUE = 'p';

function keyOf(kind: string, ...parts: readonly string[]): string {
  return kind + createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

/** Of a wait that compares values; a signal has all of them. */
export function valueKey(name: string, path: string, value: string): string {
  return keyOf(OF_VALUE, name, path, value);
}

/** Of a wait without values; a signal has one of them. */
export function ownKeys(
  name: string,
  run: { readonly transactionId: string; readonly subscriberId: string },
): string[] {
  return [keyOf(OF_TRANSACTION, name, run.transactionId), keyOf(OF_SUBSCRIBER, name, run.subscriberId)];
}

/** One for each value that a wait can compare. */
export function valueKeys({ name, payload }: Pick<Signal, 'name' | 'payload'>): string[] {
  return leavesOf(payload).map(([path, value]) => valueKey(name, path, value));
}

/** A signal that names the event answers its waits, and else one that names the subscriber. */
export function targetKey({ name, transactionId, subscriberId }: Omit<Signal, 'payload'>): string | undefined {
  if (transactionId !== undefined) return keyOf(OF_TRANSACTION, name, transactionId);
  return subscriberId === undefined ? undefined : keyOf(OF_SUBSCRIBER, name, subscriberId);
}

/** Values at the ends of paths, as texts. */
function leavesOf(payload: Readonly<Record<string, unknown>>): [path: string, value: string][] {
  const found: [string, string][] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (found.length >= MAX_VALUES) return;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      found.push([path.join('.'), String(value)]);
    } else if (isObject(value) && path.length < MAX_DEPTH) {
      for (const [name, member] of Object.entries(value)) visit(member, [...path, name]);
    }
  };
  visit(payload, []);
  return found;
}

export const SIGNAL_MODEL = 'Signal';
export const SignalSchema = shared(
  new Schema({}, { collection: 'signals', strict: false, versionKey: false, timestamps: false }),
);
shardBy(SignalSchema, '_environmentId');
// the first signal that answers a wait
const BY_KEY = { _environmentId: 1, keys: 1, createdAt: 1 } as const;
SignalSchema.index(BY_KEY);
// erasure of a subscriber; shards
SignalSchema.index({ _environmentId: 1, subscriberId: 1 });
// erasure of what an event brought for one person alone
SignalSchema.index({ _environmentId: 1, transactionId: 1 });
SignalSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** Signals are kept, so that one that came before its wait began, or while no worker looked, is not lost. */
@Injectable()
export class SignalStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async keep(environmentId: Types.ObjectId, signal: Signal, now: Date): Promise<void> {
    const target = targetKey(signal);
    await this.collection.insertOne({
      _id: new Types.ObjectId(),
      _environmentId: environmentId,
      ...signal,
      keys: [...valueKeys(signal), ...(target === undefined ? [] : [target])],
      createdAt: now,
      expireAt: new Date(now.getTime() + KEPT_MS),
    });
  }

  /** The first one that answers a wait of this run. */
  async find({
    environmentId,
    transactionId,
    subscriberId,
    keys,
    since,
  }: SignalQuery): Promise<SignalRecord | undefined> {
    const isOfValues = keys[0]?.startsWith(OF_VALUE) === true;
    const found = await this.collection.findOne(
      {
        _environmentId: environmentId,
        keys: isOfValues ? { $all: [...keys] } : { $in: [...keys] },
        transactionId: { $in: [null, transactionId] },
        subscriberId: { $in: [null, subscriberId] },
        // A signal that names the event is of it, whatever the clocks say.
        $or: [{ createdAt: { $gte: since } }, { transactionId }],
      } as mongo.Filter<SignalRecord>,
      { sort: { createdAt: 1 }, hint: BY_KEY },
    );
    return found ?? undefined;
  }

  async removeOf(environmentId: Types.ObjectId, subscriberId: string): Promise<void> {
    await this.collection.deleteMany({ _environmentId: environmentId, subscriberId });
  }

  /** Also those that name no subscriber. */
  async removeOfEvents(environmentId: Types.ObjectId, transactionIds: readonly string[]): Promise<void> {
    if (transactionIds.length === 0) return;
    await this.collection.deleteMany({ _environmentId: environmentId, transactionId: { $in: [...transactionIds] } });
  }

  protected get collection(): mongo.Collection<SignalRecord> {
    return rawCollection<SignalRecord>(this.connection, 'signals');
  }
}

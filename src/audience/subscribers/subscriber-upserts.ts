import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { duplicatePlaces, isStoreUnavailable, onDuplicateKey, RecordLoader, type TenantModel } from '#libs/persistence';
import { Batcher } from '#libs/work';
import { Subscriber } from './subscriber.schema.js';
import { newRecord, type SubscriberUpsert, toUpsertWrite, upsertOne, writeInOrder } from './subscriber-writes.js';

/** Upserts of single subscribers. Those of concurrent callers are one insert, and one update and one read of those that exist. */
@Injectable()
export class SubscriberUpserts {
  private areMostNew = true;
  private readonly stored: RecordLoader<Subscriber, 'subscriberId'>;
  private readonly batcher = new Batcher<SubscriberUpsert, Subscriber>(
    (upserts) => this.writeAll(upserts),
    { size: 100, concurrency: 4, beside: 16 },
    (error) => !isStoreUnavailable(error),
  );

  constructor(@InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>) {
    this.stored = new RecordLoader(subscribers, 'subscriberId');
  }

  /** @returns the record as it is after the write, or after a later one */
  write(upsert: SubscriberUpsert): Promise<Subscriber> {
    return this.batcher.submit(upsert);
  }

  /** @returns undefined if there is such a subscriber. A record that only sessions know is none. */
  async insertNew(upsert: SubscriberUpsert): Promise<Subscriber | undefined> {
    const row = newRecord(upsert);
    const hasPlace = await this.subscribers.collection.insertOne(row).then(
      () => true,
      onDuplicateKey(() => false),
    );
    if (hasPlace) return row;
    const { $setOnInsert: _whole, ...changes } = upsert.update;
    const found = await this.subscribers.collection.findOneAndUpdate({ ...upsert.filter, sessionOnly: true }, changes, {
      returnDocument: 'after',
    });
    return (found as unknown as Subscriber | null) ?? undefined;
  }

  /** Of several upserts of one record, the first is written together with those of others, and the rest afterwards. */
  private async writeAll(upserts: readonly SubscriberUpsert[]): Promise<Subscriber[]> {
    const firsts = new Map<string, SubscriberUpsert>();
    for (const upsert of upserts) if (!firsts.has(keyOf(upsert))) firsts.set(keyOf(upsert), upsert);
    const written = firsts.size > 1 ? await this.writeTogether([...firsts.values()]) : undefined;
    return Promise.all(upserts.map(async (upsert) => written?.get(upsert) ?? upsertOne(this.subscribers, upsert)));
  }

  /** An insert costs a third of an upsert, and is lost on a record that exists: the batch before says which is likely. */
  private async writeTogether(
    upserts: readonly SubscriberUpsert[],
  ): Promise<ReadonlyMap<SubscriberUpsert, Subscriber | undefined>> {
    const rows = upserts.map((upsert) => [upsert, newRecord(upsert)] as const);
    const left = this.areMostNew ? await this.insert(rows.map(([, row]) => row)) : new Set(rows.keys());
    const others = upserts.filter((_, place) => left.has(place));
    const inserted = await writeInOrder(this.subscribers, others.map(toUpsertWrite));
    this.areMostNew = (others.length - inserted.size) * 2 < upserts.length;
    const updated = await Promise.all(others.map(async (upsert) => [upsert, await this.read(upsert)] as const));
    return new Map<SubscriberUpsert, Subscriber | undefined>([...rows, ...updated]);
  }

  /** @returns the places of those that exist already */
  private async insert(rows: readonly Subscriber[]): Promise<ReadonlySet<number>> {
    try {
      await this.subscribers.collection.insertMany([...rows], { ordered: false });
      return new Set();
    } catch (error) {
      return new Set(duplicatePlaces(error));
    }
  }

  /** Undefined if it was deleted meanwhile. */
  private read({ filter }: SubscriberUpsert): Promise<Subscriber | undefined> {
    return this.stored.find({ environmentId: filter._environmentId.toHexString() }, filter.subscriberId);
  }
}

function keyOf({ filter }: SubscriberUpsert): string {
  return `${filter._environmentId.toHexString()}:${filter.subscriberId}`;
}

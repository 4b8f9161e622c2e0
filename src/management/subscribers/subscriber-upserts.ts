import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isStoreUnavailable, RecordLoader, type TenantModel } from '#libs/persistence';
import { Batcher } from '#libs/work';
import { Subscriber } from './subscriber.schema.js';
import { type SubscriberUpsert, toUpsertWrite, upsertOne, writeInOrder } from './subscriber-writes.js';

/** Upserts of single subscribers. Those of concurrent callers are one write of the store and one read. */
@Injectable()
export class SubscriberUpserts {
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

  /** Of several upserts of one record, the first is written together with those of others, and the rest afterwards. */
  private async writeAll(upserts: readonly SubscriberUpsert[]): Promise<Subscriber[]> {
    const together = new Map<string, SubscriberUpsert>();
    if (upserts.length > 1)
      for (const upsert of upserts) if (!together.has(keyOf(upsert))) together.set(keyOf(upsert), upsert);
    await writeInOrder(this.subscribers, [...together.values()].map(toUpsertWrite));
    const reads = [...together.values()].map(async (upsert) => [upsert, await this.read(upsert)] as const);
    const written = new Map(await Promise.all(reads));
    return Promise.all(upserts.map(async (upsert) => written.get(upsert) ?? upsertOne(this.subscribers, upsert)));
  }

  /** Undefined if it was deleted meanwhile. */
  private read({ filter }: SubscriberUpsert): Promise<Subscriber | undefined> {
    return this.stored.find({ environmentId: filter._environmentId.toHexString() }, filter.subscriberId);
  }
}

function keyOf({ filter }: SubscriberUpsert): string {
  return `${filter._environmentId.toHexString()}:${filter.subscriberId}`;
}

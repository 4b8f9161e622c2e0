import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { nanoid } from 'nanoid';
import { Clock, OnDomainEvent } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { derivedObjectId, type TenantModel } from '#libs/persistence';
import { type Attempt, AttemptsEnded, type OwnAttempts } from '../../engine/delivery/index.js';
import { BUCKET_MS, type BucketCounts, type BucketKey, DeliveryBucket } from './delivery-bucket.schema.js';
import { countTime, noTimes } from './send-times.js';

/** Counts within this time share a write; they are lost if the process is killed. */
const WRITE_AFTER_MS = 2_000;

interface OpenBucket {
  readonly key: BucketKey;
  readonly counts: BucketCounts;
  isChanged: boolean;
}

/**
 * Each process writes whole counts to buckets of its own, so it need not know whether a failed write reached the store.
 */
@Injectable()
export class DeliveryRecorder implements BeforeApplicationShutdown {
  private readonly writer = nanoid(10);
  private readonly open = new Map<string, OpenBucket>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isClosing = false;

  constructor(
    @InjectModel(DeliveryBucket.name) private readonly buckets: TenantModel<DeliveryBucket>,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  @OnDomainEvent(AttemptsEnded)
  async onAttempts({ runs }: AttemptsEnded): Promise<void> {
    const at = new Date(Math.floor(this.clock.now().getTime() / BUCKET_MS) * BUCKET_MS);
    for (const { record, attempts } of runs) {
      for (const attempt of attempts) this.count(this.bucketOf(record, attempt, at), attempt);
    }
    // Workers wait for the ends of their runs at shutdown, and so for this.
    if (this.isClosing) await this.flush();
    else this.timer ??= setTimeout(() => void this.flushInBackground(), WRITE_AFTER_MS).unref();
  }

  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.catch(() => undefined).then(() => this.write());
    return this.writing;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    await this.flushInBackground();
  }

  private async flushInBackground(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.logger.error(error, DeliveryRecorder.name);
    }
  }

  private bucketOf(record: OwnAttempts['record'], { channel, providerId }: Attempt, at: Date): OpenBucket {
    const name = `${record._environmentId.toHexString()}:${at.getTime()}:${channel}:${providerId ?? ''}`;
    const known = this.open.get(name);
    if (known !== undefined) return known;
    const { _environmentId, _organizationId } = record;
    const key = { _environmentId, _organizationId, at, writer: this.writer, channel };
    const bucket: OpenBucket = {
      key: { ...key, ...(providerId !== undefined && { providerId }) },
      counts: { sent: 0, failed: 0, retried: 0, dead: 0, times: noTimes() },
      isChanged: false,
    };
    this.open.set(name, bucket);
    return bucket;
  }

  private count(bucket: OpenBucket, { result, isDead, ms }: Attempt): void {
    bucket.isChanged = true;
    bucket.counts[result] += 1;
    if (isDead === true) bucket.counts.dead += 1;
    if (ms !== undefined) countTime(bucket.counts.times, ms);
  }

  private async write(): Promise<void> {
    const now = this.clock.now();
    const changed = [...this.open.values()].filter(({ isChanged }) => isChanged);
    if (changed.length > 0) {
      for (const bucket of changed) bucket.isChanged = false;
      try {
        await this.buckets.collection.bulkWrite(
          changed.map((bucket) => toUpsert(bucket, now)),
          { ordered: false },
        );
      } catch (error) {
        for (const bucket of changed) bucket.isChanged = true;
        throw error;
      }
    }
    for (const [name, { key, isChanged }] of this.open) {
      if (!isChanged && key.at.getTime() + BUCKET_MS <= now.getTime()) this.open.delete(name);
    }
  }
}

function toUpsert({ key, counts }: OpenBucket, now: Date): mongo.AnyBulkWriteOperation {
  const { _environmentId, at, writer, channel, providerId = '' } = key;
  const _id = derivedObjectId(_environmentId, writer, at.toISOString(), channel, providerId);
  return {
    updateOne: {
      filter: { _id },
      update: {
        $set: { ...counts, times: [...counts.times], updatedAt: now },
        $setOnInsert: { ...key, deleted: false, createdAt: now, __v: 0 },
      },
      upsert: true,
    },
  };
}

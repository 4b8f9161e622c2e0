import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { WorkQueue } from '#libs/work';
import { ERASURE_SHARD_KEY, type ErasureRecord, Erasures } from '../../audience/subscribers/index.js';

/** Longer than a batch takes; the worker extends it. */
const LEASE_MS = 30_000;

@Injectable()
export class ErasureQueue extends WorkQueue<ErasureRecord> {
  constructor(erasures: Erasures, clock: Clock) {
    super({
      collection: () => erasures.collection,
      groupBy: '_environmentId',
      shardKey: ERASURE_SHARD_KEY,
      clock,
      leaseMs: LEASE_MS,
    });
  }
}

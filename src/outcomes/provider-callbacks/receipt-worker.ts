import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { Background, type DueWork, FairSlots, Worker, WorkQueue } from '#libs/work';
import { PUSH_RECEIPT_SHARD_KEY, type PushReceiptRecord, PushReceipts } from '../../engine/messages/index.js';
import { ReceiptEffects } from './receipt-effects.js';

const BATCH = 20;
const BATCH_OF_ONE_ENVIRONMENT = 10;
/** A claimed batch is a request for each message. */
const LEASE_MS = 120_000;
const MIN_POLL_MS = 30_000;

/** Asks providers what became of push messages which they have accepted. */
@Injectable()
export class ReceiptWorker implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly queue: WorkQueue<PushReceiptRecord>;
  private readonly worker: Worker;
  private readonly capacity = new Map([[undefined, new FairSlots(BATCH, BATCH_OF_ONE_ENVIRONMENT)]]);

  constructor(
    private readonly receipts: PushReceipts,
    private readonly effects: ReceiptEffects,
    clock: Clock,
    private readonly config: AppConfig,
    logger: AppLogger,
  ) {
    this.queue = new WorkQueue({
      collection: () => receipts.collection,
      groupBy: '_environmentId',
      shardKey: PUSH_RECEIPT_SHARD_KEY,
      clock,
      leaseMs: LEASE_MS,
    });
    const nothingToDo = (): Promise<void> => Promise.resolve();
    this.worker = new Worker({
      sources: [
        {
          claim: () => this.look(),
          nextWakeAt: () => this.queue.nextWakeAt(),
          renew: nothingToDo,
          settle: nothingToDo,
        },
      ],
      background: new Background((error) => logger.error(error, 'Push receipts')),
      clock,
      leaseMs: LEASE_MS,
      pollMs: Math.max(MIN_POLL_MS, config.get('DELIVERY_POLL_MS')),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.get('DELIVERY_WORKER') === 'on') this.worker.start();
  }

  onModuleDestroy(): void {
    this.worker.close();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }

  get due(): DueWork {
    return this.worker;
  }

  /** For tests: works until nothing is due, with a `ManualClock` up to this moment. */
  drain(until?: Date): Promise<void> {
    return this.worker.drain(until);
  }

  private async look(): Promise<number> {
    const records = await this.queue.claim(this.capacity);
    await Promise.all(
      records.map(async (record) => {
        const { open, delivered } = await this.effects.look(record);
        await this.receipts.settle(record, open, delivered);
      }),
    );
    return records.length;
  }
}

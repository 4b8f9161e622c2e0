import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { Background, BatchWorker, WorkQueue } from '#libs/work';
import { PUSH_RECEIPT_SHARD_KEY, type PushReceiptRecord, PushReceipts } from '../../engine/messages/reports/index.js';
import { ReceiptEffects } from './receipt-effects.js';

/** A claimed batch is a request for each message. */
const LEASE_MS = 120_000;
const MIN_POLL_MS = 30_000;

/** Asks providers what became of push messages which they have accepted. */
@Injectable()
export class ReceiptWorker extends BatchWorker<PushReceiptRecord> {
  constructor(
    private readonly receipts: PushReceipts,
    private readonly effects: ReceiptEffects,
    clock: Clock,
    config: AppConfig,
    logger: AppLogger,
  ) {
    super({
      config,
      background: new Background((error) => logger.error(error, 'Push receipts')),
      queue: new WorkQueue({
        collection: () => receipts.collection,
        groupBy: '_environmentId',
        shardKey: PUSH_RECEIPT_SHARD_KEY,
        clock,
        leaseMs: LEASE_MS,
      }),
      most: 20,
      mostOfOne: 10,
      minPollMs: MIN_POLL_MS,
    });
  }

  carryOut(records: readonly PushReceiptRecord[]): Promise<void> {
    return this.each(records, async (record) => {
      const receipts = await this.effects.fetch(record);
      // The person may have been deleted while the provider was asked, or somebody else may ask.
      if (!(await this.receipts.holds(record))) return;
      const { open, delivered } = await this.effects.apply(record, receipts);
      await this.receipts.settle(record, open, delivered);
    });
  }
}

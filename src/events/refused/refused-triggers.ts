import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { isDuplicateKey, rawCollection } from '#libs/persistence';
import type { RefusedTriggerRecord, Refusal } from './refused-trigger.record.js';

const DAY_MS = 86_400_000;
const MOST_FAULTS = 20;

/** Keeps triggers that nothing is done for, as long as events are kept, so that they can be found afterwards. */
@Injectable()
export class RefusedTriggers {
  private readonly retentionDays: number;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** The same transaction id again leaves one record, which says what was the matter last. */
  async keep(tenant: TenantContext, transactionId: string, refusal: Refusal): Promise<void> {
    const now = this.clock.now();
    const { error, ...rest } = refusal;
    const $set = {
      ...rest,
      ...(error && { error: error.slice(0, MOST_FAULTS) }),
      updatedAt: now,
      ...(this.retentionDays > 0 && { expireAt: new Date(now.getTime() + (this.retentionDays + 1) * DAY_MS) }),
    };
    const optional = ['name', 'workflowId', 'tenant', 'overrideId', 'error'].filter((key) => !(key in $set));
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
    try {
      await write();
    } catch (fault) {
      // Two at once both try to insert; the second one finds it now.
      if (!isDuplicateKey(fault)) throw fault;
      await write();
    }
  }

  find(tenant: TenantContext, transactionId: string): Promise<RefusedTriggerRecord | null> {
    return this.collection.findOne({ _environmentId: new Types.ObjectId(tenant.environmentId), transactionId });
  }

  private get collection(): mongo.Collection<RefusedTriggerRecord> {
    return rawCollection<RefusedTriggerRecord>(this.connection, 'refusedTriggers');
  }
}

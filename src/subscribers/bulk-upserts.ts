import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { mergePipeline, SubscriberCredentialsService } from './subscriber-credentials.service.js';
import type { BulkResultResponse } from './subscriber.response.js';
import type { CreateSubscriberDto } from './subscriber.dto.js';
import { upsertOf } from './subscriber-updates.js';
import { type SubscriberWrite, toUpsertWrite, writeInOrder } from './subscriber-writes.js';
import { Subscriber } from './subscriber.schema.js';
import { describeMissing } from './subscribers.errors.js';

/** Creates and updates many subscribers in one call of the store. */
@Injectable()
export class BulkUpserts {
  constructor(
    @InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>,
    private readonly credentials: SubscriberCredentialsService,
  ) {}

  /** In the order sent: a repeated id is created first and updated by the later ones. */
  async run(tenant: TenantContext, dtos: readonly CreateSubscriberDto[]): Promise<BulkResultResponse> {
    const result: BulkResultResponse = { updated: [], created: [], failed: [] };
    const writes: SubscriberWrite[] = [];
    const written: { subscriberId: string; position: number }[] = [];
    const now = new Date();
    for (const dto of dtos) {
      const { subscriberId } = dto;
      const { entries, missing } = await this.credentials.link(tenant, dto.channels ?? []);
      if (missing.length > 0) {
        result.failed.push({ message: missing.map(describeMissing).join(' '), subscriberId });
        continue;
      }
      const upsert = upsertOf(tenant, dto, now);
      written.push({ subscriberId, position: writes.push(toUpsertWrite(upsert)) - 1 });
      if (entries.length > 0) {
        writes.push({ updateOne: { filter: upsert.filter, update: mergePipeline(entries, 'append') } });
      }
    }
    const inserted = await writeInOrder(this.subscribers, writes);
    for (const { subscriberId, position } of written) {
      result[inserted.has(position) ? 'created' : 'updated'].push({ subscriberId });
    }
    return result;
  }
}

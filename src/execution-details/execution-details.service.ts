import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { AppConfig } from '#libs/config';
import type { TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/tenancy';
import { type DetailBatch, toStored } from './detail-batch.js';
import { ExecutionDetailResponse } from './dto/execution-detail.response.js';
import { ExecutionDetailBatch } from './execution-detail.schema.js';

@Injectable()
export class ExecutionDetailsService {
  private readonly retentionDays: number;

  constructor(
    @InjectModel(ExecutionDetailBatch.name) private readonly batches: TenantModel<ExecutionDetailBatch>,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** Writes details of any number of notifications, of any environments, in one call to the store. */
  async append(batches: readonly DetailBatch[]): Promise<void> {
    const now = new Date();
    const rows = batches
      .filter(({ entries }) => entries.length > 0)
      .map((batch) => toStored(batch, this.retentionDays, now));
    if (rows.length > 0) await this.batches.collection.insertMany(rows, { ordered: false });
  }

  /**
   * The details of several notifications, oldest first, by the id of their notification. One that has none is absent.
   */
  async listFor(
    tenant: TenantContext,
    notificationIds: readonly string[],
  ): Promise<Map<string, ExecutionDetailResponse[]>> {
    const rows = await this.batches
      .find({ _environmentId: tenant.environmentId, _notificationId: { $in: notificationIds } })
      .lean()
      .exec();
    const found = new Map<string, ExecutionDetailResponse[]>();
    for (const detail of oldestFirst(rows)) {
      const list = found.get(detail._notificationId);
      if (list) list.push(detail);
      else found.set(detail._notificationId, [detail]);
    }
    return found;
  }
}

/** By time; what happened in the same millisecond in the order in which it was written. */
export function oldestFirst(rows: readonly ExecutionDetailBatch[]): ExecutionDetailResponse[] {
  return rows
    .flatMap((row) => ExecutionDetailResponse.listFrom(row))
    .map((detail, place) => ({ detail, place }))
    .sort((a, b) => a.detail.createdAt.getTime() - b.detail.createdAt.getTime() || a.place - b.place)
    .map(({ detail }) => detail);
}

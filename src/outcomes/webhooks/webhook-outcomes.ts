import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { TenantModel } from '#libs/persistence';
import { Batcher } from '#libs/work';
import { EndpointDirectory } from './endpoint-directory.js';
import type { AttemptResult } from './webhook-attempt.js';
import type { WebhookDelivery } from './webhook-delivery.schema.js';
import { WebhookEndpoint } from './webhook-endpoint.schema.js';
import { WebhookQueue } from './webhook-queue.js';

const DAY_MS = 86_400_000;
const WORKER_LOST =
  'It was attempted several times, and each time the worker died or stood still before there was an outcome.';

interface Change {
  readonly record: WebhookDelivery;
  readonly update: mongo.Document;
}

/** Attempts that end at the same time share one call to the store. */
@Injectable()
export class WebhookOutcomes {
  private readonly retentionDays: number;
  private readonly batcher = new Batcher<Change, undefined>(
    async (changes) => {
      await this.queue.save(changes);
      return changes.map(() => undefined);
    },
    { size: 200, concurrency: 2 },
  );

  constructor(
    private readonly queue: WebhookQueue,
    @InjectModel(WebhookEndpoint.name) private readonly endpoints: TenantModel<WebhookEndpoint>,
    private readonly directory: EndpointDirectory,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  async write(row: WebhookDelivery, result: AttemptResult): Promise<void> {
    const change = { record: row, update: this.updateFor(result) };
    if (result.kind !== 'gone') await this.batcher.submit(change);
    // Without the lease, the answer may not be the endpoint's latest.
    else if ((await this.queue.save([change])) === 1) await this.disable(row);
  }

  async setAside(rows: readonly WebhookDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    const { $set, ...update } = this.updateFor({ kind: 'given up', error: WORKER_LOST });
    const setAside = { ...update, $set: { ...($set as object), setAsideAt: this.clock.now() } };
    await this.queue.save(rows.map((record) => ({ record, update: setAside })));
  }

  private updateFor(result: AttemptResult): mongo.Document {
    const now = this.clock.now();
    const { statusCode } = result;
    const attempted = {
      updatedAt: now,
      lastAttemptAt: now,
      ...(statusCode !== undefined && { lastStatusCode: statusCode }),
    };
    const cleared = { lease: 1, takenUp: 1, suspectGroup: 1, ...(statusCode === undefined && { lastStatusCode: 1 }) };
    if (result.kind === 'retry') {
      const wakeAt = new Date(now.getTime() + result.afterMs);
      return {
        $set: { ...attempted, wakeAt, dueSince: wakeAt, lastError: result.error },
        $unset: cleared,
        $inc: { attempt: 1 },
      };
    }
    const ended = {
      ...attempted,
      ...(this.retentionDays > 0 && { expireAt: new Date(now.getTime() + this.retentionDays * DAY_MS) }),
    };
    return result.kind === 'delivered'
      ? {
          $set: { ...ended, status: 'delivered', deliveredAt: now },
          $unset: { ...cleared, wakeAt: 1, dueSince: 1, lastError: 1 },
          $inc: { attempt: 1 },
        }
      : {
          $set: { ...ended, status: 'failed', lastError: result.error },
          $unset: { ...cleared, wakeAt: 1, dueSince: 1 },
          $inc: { attempt: 1 },
        };
  }

  private async disable({ _environmentId, _endpointId }: WebhookDelivery): Promise<void> {
    const environmentId = _environmentId.toHexString();
    await this.endpoints.updateOne(
      { _id: _endpointId, _environmentId: environmentId, active: true },
      {
        $set: {
          active: false,
          disabledAt: this.clock.now(),
          disabledReason: 'The endpoint answered 410 Gone.',
        },
      },
    );
    this.directory.forget(environmentId);
  }
}

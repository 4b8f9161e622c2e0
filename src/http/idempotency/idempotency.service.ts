import { createHash, randomUUID } from 'node:crypto';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { AppLogger } from '#libs/http-kit';
import { isDuplicateKey, ownedBy, type TenantModel } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import { Clock, type TenantContext } from '#libs/common';
import { IdempotencyKeyInProgress, IdempotencyKeyReused } from './idempotency.errors.js';
import { IdempotencyRecord, SEALED_RESULT } from './idempotency-record.schema.js';
import type { StoredResult } from './stored-result.js';

const KEPT_MS = 24 * 3_600_000;
/** How long the key of a process that has died is blocked. A process that lives renews it. */
const LEASE_MS = 10_000;
const RENEW_MS = LEASE_MS / 4;
/** Larger results are not kept: a record of the store holds at most 16 MB. */
const MAX_RESULT_CHARS = 8_000_000;

export interface KeyedRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** Body, query and API key: must be equal when the key is reused. */
  readonly content: unknown;
}

export type Begun = { readonly run: Run } | { readonly result: StoredResult };

export interface Run {
  readonly environmentId: string;
  readonly recordId: Types.ObjectId;
  readonly scope: string;
  readonly runId: string;
}

/** The unique index on environment and scope decides which of several runs, in any process, executes the request. */
@Injectable()
export class IdempotencyService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly running = new Set<Run>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectModel(IdempotencyRecord.name) private readonly records: TenantModel<IdempotencyRecord>,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      const onError = (error: unknown): void => this.logger.error(error, IdempotencyService.name);
      void this.renew().catch(onError);
    }, RENEW_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async begin(tenant: TenantContext, request: KeyedRequest, now = this.clock.now()): Promise<Begun> {
    const scope = digest(request.method, request.path, request.key);
    const marker = {
      fingerprint: digest(JSON.stringify(request.content)),
      runId: randomUUID(),
      runningUntil: leaseEnd(now),
      expireAt: new Date(now.getTime() + KEPT_MS),
    };
    const recordId = new Types.ObjectId();
    const { runId } = marker;
    try {
      await this.records.create({ _id: recordId, ...ownedBy(tenant), scope, ...marker });
      return { run: this.held({ environmentId: tenant.environmentId, recordId, scope, runId }) };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const found = await this.records.findOne({ _environmentId: tenant.environmentId, scope }).lean().exec();
    // It has just expired or its run has failed. Report it as running: the caller retries in a second.
    if (found === null) throw new IdempotencyKeyInProgress(1);
    const expired = found.expireAt <= now;
    if (!expired && found.fingerprint !== marker.fingerprint) throw new IdempotencyKeyReused();
    if (!expired && found.sealed !== undefined) {
      return {
        result: JSON.parse(
          this.secrets.open(found.sealed, SEALED_RESULT.of(found._id, tenant.environmentId)),
        ) as StoredResult,
      };
    }
    const crashed = found.runningUntil !== undefined && found.runningUntil <= now;
    if ((expired || crashed) && (await this.takeOver(tenant, scope, found.runId, marker))) {
      return { run: this.held({ environmentId: tenant.environmentId, recordId: found._id, scope, runId }) };
    }
    // The run that was found may have begun after this one.
    const read = Math.max(now.getTime(), this.clock.now().getTime());
    const restMs = (found.runningUntil?.getTime() ?? 0) - read;
    throw new IdempotencyKeyInProgress(Math.max(1, Math.ceil(restMs / 1_000)));
  }

  /** Keeps the keys of the requests that this process is carrying out. */
  async renew(now = this.clock.now()): Promise<void> {
    if (this.running.size === 0) return;
    const update = { $set: { runningUntil: leaseEnd(now) } };
    const filters = [...this.running].map((run) => ({ ...ownRecord(run), runningUntil: { $exists: true } }));
    await this.records.bulkWrite(
      filters.map((filter) => ({ updateOne: { filter, update } })),
      { ordered: false },
    );
  }

  /** The request is over, whatever became of it: its key is no longer renewed. */
  end(run: Run): void {
    this.running.delete(run);
  }

  /** Nothing is kept of a run whose key another one has taken over. */
  async finish(run: Run, result: StoredResult): Promise<void> {
    const text = JSON.stringify(result);
    if (text.length > MAX_RESULT_CHARS) return this.release(run);
    await this.records.updateOne(
      { _id: run.recordId, ...ownRecord(run) },
      {
        $set: { sealed: this.secrets.seal(text, SEALED_RESULT.of(run.recordId, run.environmentId)) },
        $unset: { runningUntil: 1 },
      },
    );
  }

  /** The next request with the key is executed. */
  async release(run: Run): Promise<void> {
    await this.records.deleteOne(ownRecord(run));
  }

  private held(run: Run): Run {
    this.running.add(run);
    return run;
  }

  /** Only one of several callers replaces the expired or crashed run. */
  private async takeOver(tenant: TenantContext, scope: string, runId: string, marker: object): Promise<boolean> {
    const { modifiedCount } = await this.records.updateOne(
      { _environmentId: tenant.environmentId, scope, runId },
      { $set: marker, $unset: { sealed: 1 } },
    );
    return modifiedCount === 1;
  }
}

function ownRecord({ environmentId, scope, runId }: Run): { _environmentId: string; scope: string; runId: string } {
  return { _environmentId: environmentId, scope, runId };
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

function digest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

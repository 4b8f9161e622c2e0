import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { isDuplicateKey, ownedBy, type TenantModel } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import { Clock, type TenantContext } from '#libs/common';
import { IdempotencyKeyInProgress, IdempotencyKeyReused } from './idempotency.errors.js';
import { IdempotencyRecord, SEALED_RESULT } from './idempotency-record.schema.js';
import type { StoredResult } from './stored-result.js';

const KEPT_MS = 24 * 3_600_000;
/** Longer than any request takes; after a crash the key is blocked for this time. */
const RUNNING_MS = 60_000;
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
  readonly recordId: Types.ObjectId;
  readonly scope: string;
  readonly runId: string;
}

/** The unique index on environment and scope decides which of several runs, in any process, executes the request. */
@Injectable()
export class IdempotencyService {
  constructor(
    @InjectModel(IdempotencyRecord.name) private readonly records: TenantModel<IdempotencyRecord>,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  async begin(tenant: TenantContext, request: KeyedRequest, now = this.clock.now()): Promise<Begun> {
    const scope = digest(request.method, request.path, request.key);
    const marker = {
      fingerprint: digest(JSON.stringify(request.content)),
      runId: randomUUID(),
      runningUntil: new Date(now.getTime() + RUNNING_MS),
      expireAt: new Date(now.getTime() + KEPT_MS),
    };
    const recordId = new Types.ObjectId();
    const { runId } = marker;
    try {
      await this.records.create({ _id: recordId, ...ownedBy(tenant), scope, ...marker });
      return { run: { recordId, scope, runId } };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const found = await this.records.findOne({ _environmentId: tenant.environmentId, scope }).lean().exec();
    // It has just expired or its run has failed. Report it as running: the caller retries in a second.
    if (found === null) throw new IdempotencyKeyInProgress();
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
      return { run: { recordId: found._id, scope, runId } };
    }
    throw new IdempotencyKeyInProgress();
  }

  async finish(tenant: TenantContext, run: Run, result: StoredResult): Promise<void> {
    const { recordId, scope, runId } = run;
    const text = JSON.stringify(result);
    if (text.length > MAX_RESULT_CHARS) return this.release(tenant, run);
    await this.records.updateOne(
      { _id: recordId, _environmentId: tenant.environmentId, scope, runId },
      {
        $set: { sealed: this.secrets.seal(text, SEALED_RESULT.of(recordId, tenant.environmentId)) },
        $unset: { runningUntil: 1 },
      },
    );
  }

  /** The next request with the key is executed. */
  async release(tenant: TenantContext, { scope, runId }: Run): Promise<void> {
    await this.records.deleteOne({ _environmentId: tenant.environmentId, scope, runId });
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

function digest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

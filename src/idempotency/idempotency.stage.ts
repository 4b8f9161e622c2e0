import { Injectable } from '@nestjs/common';
import {
  AppLogger,
  type HttpReply,
  type HttpRequest,
  pathOf,
  PipelineStage,
  type RoutePlan,
  type Stage,
  StandIn,
  type Step,
  ValidationFailed,
} from '#libs/http-kit';
import type { Caller, TenantContext } from '#libs/common';
import { IdempotencyService, type Run } from './idempotency.service.js';
import { refusalOf, resultOf, replay, type StoredResult } from './stored-result.js';

const MAX_KEY_LENGTH = 255;
const METHODS = new Set(['POST', 'PATCH']);

/**
 * Executes a POST or PATCH with an `Idempotency-Key` once; the same request again gets the same response with
 * `Idempotency-Replay: true`. It stores what handlers return or throw, before the envelope.
 */
@Injectable()
@PipelineStage({ at: 'handler' })
export class IdempotencyStage implements Stage {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly logger: AppLogger,
  ) {}

  stepFor({ method, caller }: RoutePlan): Step | undefined {
    // Keys of an environment are one space: subscribers must not meet those of others.
    if (!METHODS.has(method) || caller !== 'api-key') return undefined;
    return (request, reply) => {
      const header = request.headers['idempotency-key'];
      const key = header === undefined ? '' : String(header).trim();
      const { tenant } = request;
      return key === '' || tenant === undefined ? undefined : this.begin(key, tenant, request, reply);
    };
  }

  private async begin(
    key: string,
    tenant: Caller,
    request: HttpRequest,
    reply: HttpReply,
  ): Promise<StandIn | undefined> {
    refuseLongKey(key);
    reply.header('Idempotency-Key', key);
    const begun = await this.idempotency.begin(tenant, {
      method: request.method,
      path: pathOf(request.originalUrl),
      key,
      // A response belongs to the API key that received it: another key may not be allowed to see as much.
      content: [request.bodyDigest ?? request.body ?? null, request.query, tenant.apiKeyId],
    });
    if ('result' in begun) {
      reply.header('Idempotency-Replay', 'true');
      return new StandIn(begun.result.status, replay(begun.result));
    }
    const { run } = begun;
    request.outcome = {
      succeeded: (value, status) => this.settle(tenant, run, resultOf(value, status), request),
      failed: (error) => this.settle(tenant, run, refusalOf(error), request),
    };
    return undefined;
  }

  /** The request is complete: a store that becomes unavailable here must not turn its success into a failure. */
  private async settle(
    tenant: TenantContext,
    run: Run,
    result: StoredResult | undefined,
    { id: requestId }: HttpRequest,
  ): Promise<void> {
    try {
      if (result === undefined) await this.idempotency.release(tenant, run);
      else await this.idempotency.finish(tenant, run, result);
    } catch (err) {
      const message = 'the result of a request with an Idempotency-Key could not be kept';
      this.logger.event('warn', message, { requestId, err });
    }
  }
}

/** @throws {ValidationFailed} */
function refuseLongKey({ length }: string): void {
  if (length <= MAX_KEY_LENGTH) return;
  throw new ValidationFailed([
    `Idempotency-Key must be at most ${MAX_KEY_LENGTH} characters long, this one has ${length}`,
  ]);
}

import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { catchError, from, mergeMap, type Observable, of } from 'rxjs';
import { AppLogger, type TenantRequest, ValidationFailed } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { IdempotencyService, type Run } from './idempotency.service.js';
import { refusalOf, resultOf, replay, type StoredResult } from './stored-result.js';

const MAX_KEY_LENGTH = 255;
const METHODS = new Set(['POST', 'PATCH']);

/**
 * Executes a POST or PATCH with an `Idempotency-Key` once; the same request again gets the same response with
 * `Idempotency-Replay: true`. It runs inside the envelope interceptor, so it stores what handlers return or throw.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly logger: AppLogger,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<TenantRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const key = request.header('idempotency-key')?.trim() ?? '';
    const tenant = request.tenant;
    if (key === '' || tenant === undefined || !METHODS.has(request.method)) return next.handle();
    refuseLongKey(key);
    response.setHeader('Idempotency-Key', key);

    const begun = await this.idempotency.begin(tenant, {
      method: request.method,
      path: request.path,
      key,
      // A response belongs to the API key that received it: another key may not be allowed to see as much.
      content: [request.bodyDigest ?? request.body ?? null, request.query, tenant.apiKeyId],
    });
    if ('run' in begun) return this.execute(tenant, begun.run, response, next);
    response.setHeader('Idempotency-Replay', 'true');
    response.status(begun.result.status);
    return of(replay(begun.result));
  }

  private execute(tenant: TenantContext, run: Run, response: Response, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      mergeMap(async (value: unknown) => {
        await this.settle(tenant, run, resultOf(value, response.statusCode));
        return value;
      }),
      catchError((error: unknown) =>
        from(this.settle(tenant, run, refusalOf(error))).pipe(
          mergeMap(() => {
            throw error;
          }),
        ),
      ),
    );
  }

  /** The request is complete: a store that becomes unavailable here must not turn its success into a failure. */
  private async settle(tenant: TenantContext, run: Run, result: StoredResult | undefined): Promise<void> {
    try {
      if (result === undefined) await this.idempotency.release(tenant, run);
      else await this.idempotency.finish(tenant, run, result);
    } catch (err) {
      this.logger.event('warn', 'the result of a request with an Idempotency-Key could not be kept', { err });
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

import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { catchError, from, mergeMap, type Observable, of } from 'rxjs';
import { AppLogger, type TenantRequest, ValidationFailed } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { IdempotencyService, type Run } from './idempotency.service.js';
import { refusalOf, resultOf, retell, type StoredResult } from './stored-result.js';

const LONGEST_KEY = 255;
const METHODS = new Set(['POST', 'PATCH']);

/**
 * Carries out a POST or PATCH with an `Idempotency-Key` once; the same request again gets the same answer with
 * `Idempotency-Replay: true`. It stands inside the envelope: what it keeps is what handlers return or throw.
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
      // An answer belongs to the key that it was given to: another one may not be allowed to see as much.
      content: [request.bodyDigest ?? request.body ?? null, request.query, tenant.apiKeyId],
    });
    if ('run' in begun) return this.carryOut(tenant, begun.run, response, next);
    response.setHeader('Idempotency-Replay', 'true');
    response.status(begun.result.status);
    return of(retell(begun.result));
  }

  private carryOut(tenant: TenantContext, run: Run, response: Response, next: CallHandler): Observable<unknown> {
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

  /** The request is done by now: a store that goes away here must not turn its success into a failure. */
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
  if (length <= LONGEST_KEY) return;
  throw new ValidationFailed([
    `Idempotency-Key must be at most ${LONGEST_KEY} characters long, this one has ${length}`,
  ]);
}

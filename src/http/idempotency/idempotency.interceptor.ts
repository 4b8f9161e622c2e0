import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { catchError, concatMap, finalize, type Observable, of } from 'rxjs';
import { AppLogger, type HttpReply, type HttpRequest, pathOf, RouteAccess, ValidationFailed } from '#libs/http-kit';
import type { Caller } from '#libs/common';
import { IdempotencyService, type Run } from './idempotency.service.js';
import { refusalOf, resultOf, replay, type StoredResult } from './stored-result.js';

const MAX_KEY_LENGTH = 255;
const METHODS = new Set(['POST', 'PATCH']);

/**
 * A repeated request gets the first response with `Idempotency-Replay: true`. Stores what handlers return or throw,
 * before the envelope.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly routes: RouteAccess,
    private readonly logger: AppLogger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const { tenant, method, headers } = request;
    if (!METHODS.has(method) || tenant === undefined) return next.handle();
    // Keys share one namespace per environment: subscribers must not meet those of others.
    if (this.routes.of(context).caller !== 'api-key') return next.handle();
    const header = headers['idempotency-key'];
    const key = header === undefined ? '' : String(header).trim();
    return key === '' ? next.handle() : this.executeOnce(key, tenant, request, http.getResponse<HttpReply>(), next);
  }

  private async executeOnce(
    key: string,
    tenant: Caller,
    request: HttpRequest,
    reply: HttpReply,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    refuseLongKey(key);
    reply.header('Idempotency-Key', key);
    const begun = await this.idempotency.begin(tenant, {
      method: request.method,
      path: pathOf(request.originalUrl),
      key,
      // A response belongs to the API key that received it: another key may have fewer rights.
      content: [request.bodyDigest ?? request.body ?? null, request.query, tenant.apiKeyId],
    });
    if ('result' in begun) {
      reply.header('Idempotency-Replay', 'true').status(begun.result.status);
      return of(replay(begun.result));
    }
    const { run } = begun;
    return next.handle().pipe(
      concatMap(async (value: unknown) => {
        await this.keep(run, resultOf(value, reply.statusCode), request);
        return value;
      }),
      catchError(async (error: unknown) => {
        await this.keep(run, refusalOf(error), request);
        throw error;
      }),
      finalize(() => this.idempotency.end(run)),
    );
  }

  /** The request is complete: a store failure here must not turn success into failure. */
  private async keep(run: Run, result: StoredResult | undefined, { id: requestId }: HttpRequest): Promise<void> {
    try {
      if (result === undefined) await this.idempotency.release(run);
      else await this.idempotency.finish(run, result);
    } catch (err) {
      const message = 'the result of a request with an Idempotency-Key could not be kept';
      this.logger.event('warn', message, { requestId, err });
    }
  }
}

function refuseLongKey({ length }: string): void {
  if (length <= MAX_KEY_LENGTH) return;
  throw new ValidationFailed([
    `Idempotency-Key must be at most ${MAX_KEY_LENGTH} characters long, this one has ${length}`,
  ]);
}

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Injectable, NotFoundException } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '../logging/app-logger.js';
import { type HttpReply, type HttpRequest, pathOf, sendJson } from '../request/http-request.js';
import { allowedMethods } from '../routing/allowed-methods.js';
import { AppException } from './app-exception.js';
import { codeOf, describeError, type DescribedError } from './describe-error.js';
import type { ErrorBody } from './error-body.response.js';

/** Reports each error that ends a request. The health check uses it to learn about faults of the store. */
@Injectable()
export class ThrownErrors {
  private readonly listeners: ((error: unknown) => void)[] = [];

  listen(listener: (error: unknown) => void): void {
    this.listeners.push(listener);
  }

  report(error: unknown): void {
    for (const listener of this.listeners) listener(error);
  }
}

/** Where the documentation is served. */
export const DOCS_PATH = '/docs';

/** Answers every error with one body, and logs internal errors with their cause. */
@Injectable()
export class ErrorAnswers {
  constructor(
    private readonly logger: AppLogger,
    private readonly thrown: ThrownErrors,
    private readonly config: AppConfig,
  ) {}

  async answer(thrown: unknown, request: HttpRequest, reply: HttpReply): Promise<void> {
    await request.outcome?.failed(thrown);
    this.send(thrown, request, reply);
  }

  private send(thrown: unknown, request: HttpRequest, reply: HttpReply): void {
    const error = orMethodNotAllowed(thrown, request, reply);
    const described = describeError(error, request.method);
    this.thrown.report(error);
    const errorId = described.internal ? randomUUID() : undefined;

    this.log(error, described, { requestId: request.id, errorId });
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (described.retryAfterSeconds !== undefined) reply.header('Retry-After', String(described.retryAfterSeconds));
    if (this.config.get('DOCS_ENABLED') === 'on')
      reply.header('Link', `<${DOCS_PATH}/errors#${described.code}>; rel="help"`);
    const body: ErrorBody = {
      statusCode: described.status,
      timestamp: new Date().toISOString(),
      path: request.originalUrl,
      message: described.message,
      error: STATUS_CODES[described.status] ?? 'Error',
      code: described.code,
      ...(errorId !== undefined && { errorId }),
    };
    sendJson(reply.code(described.status), JSON.stringify(body));
  }

  /** Only internal errors are logged with their stack: callers can cause all others at will. */
  private log(error: unknown, { logLevel, code, internal }: DescribedError, ids: Record<string, unknown>): void {
    if (logLevel === 'debug' && !internal) return;
    const details = error instanceof AppException ? error.details : undefined;
    const cause = internal ? { err: error } : { reason: reasonOf(error) };
    this.logger.event(logLevel, 'request failed', { ...ids, ...cause, code, details });
  }
}

/** The framework answers 404 for a known path with another method. This answers 405 with the allowed methods. */
function orMethodNotAllowed(error: unknown, request: HttpRequest, reply: HttpReply): unknown {
  if (!(error instanceof NotFoundException) || !request.is404) return error;
  const { method } = request;
  const path = pathOf(request.originalUrl);
  const allowed = allowedMethods(request.server, path);
  if (allowed.length === 0 || allowed.includes(method)) {
    return new AppException(
      404,
      'route_not_found',
      `There is no route ${method} ${path}. The routes are listed at /api.`,
    );
  }
  reply.header('Allow', allowed.join(', '));
  return new AppException(405, codeOf(405), `${path} takes ${allowed.join(', ')}, not ${method}.`);
}

const MAX_REASON_LENGTH = 300;

function reasonOf(error: unknown): string {
  const texts = [error, error instanceof Error ? error.cause : undefined].filter((each) => each instanceof Error);
  // Many errors take over the text of their cause.
  return [...new Set(texts.map(({ message }) => message.slice(0, MAX_REASON_LENGTH)))].join(': ');
}

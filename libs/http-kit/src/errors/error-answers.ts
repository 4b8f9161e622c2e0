import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { Injectable, NotFoundException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { AppLogger } from '../logging/app-logger.js';
import { platformOf } from '../platform/http-platform.js';
import { type HttpReply, type HttpRequest, pathOf, routeOf } from '../request/http-request.js';
import { AppException } from './app-exception.js';
import { MethodNotAllowed, RouteNotFound } from './common.errors.js';
import { type DescribedError, describeError } from './describe-error.js';
import type { ErrorBody } from './error-body.response.js';
import { publicPathOf } from '../request/public-path.js';

/** Tells the health check about faults of the store. */
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

type Explanation = (method: string, path: string) => AppException | undefined;

/** What is said of routes that there are not. */
@Injectable()
export class UnknownRoutes {
  private readonly explanations: Explanation[] = [];

  explainBy(explanation: Explanation): void {
    this.explanations.push(explanation);
  }

  explain(method: string, path: string): AppException {
    for (const explanation of this.explanations) {
      const error = explanation(method, path);
      if (error !== undefined) return error;
    }
    return new RouteNotFound(method, path);
  }
}

/** Path of the documentation. */
export const DOCS_PATH = '/docs';

/** Logs internal errors with their cause. */
@Injectable()
export class ErrorAnswers {
  constructor(
    private readonly logger: AppLogger,
    private readonly thrown: ThrownErrors,
    private readonly unknownRoutes: UnknownRoutes,
    private readonly config: AppConfig,
    private readonly host: HttpAdapterHost,
  ) {}

  /**
   * @param reply for an error of middleware, the response of Node.js on some platforms
   * @param more what some routes add for clients of the compatible system
   */
  answer(thrown: unknown, request: HttpRequest, reply: HttpReply, more: Pick<ErrorBody, 'type' | 'errors'> = {}): void {
    const { httpAdapter: adapter } = this.host;
    const [error, allowed] = this.orMethodNotAllowed(thrown, request);
    const described = describeError(error, request.method);
    this.thrown.report(error);
    const errorId = described.internal ? randomUUID() : undefined;

    this.log(error, described, { requestId: request.id, errorId });
    if (adapter.isHeadersSent(reply)) {
      // A response of Node.js has itself to destroy.
      ((reply as Partial<HttpReply>).raw ?? (reply as unknown as ServerResponse)).destroy();
      return;
    }
    const { retryAfterSeconds, code, status, message, hint } = described;
    if (allowed !== undefined) adapter.setHeader(reply, 'Allow', allowed);
    if (retryAfterSeconds !== undefined) adapter.setHeader(reply, 'Retry-After', String(retryAfterSeconds));
    if (this.config.get('DOCS_ENABLED') === 'on')
      adapter.setHeader(
        reply,
        'Link',
        `<${publicPathOf(this.config.get('PUBLIC_URL'))}${DOCS_PATH}/errors#${code}>; rel="help"`,
      );
    adapter.setHeader(reply, 'Content-Type', 'application/json; charset=utf-8');
    const body: ErrorBody = {
      statusCode: status,
      timestamp: new Date().toISOString(),
      path: request.originalUrl,
      message,
      error: STATUS_CODES[status] ?? 'Error',
      code,
      ...(hint !== undefined && { hint }),
      ...(status === UNPROCESSABLE && { errors: { general: { messages: [message].flat() } } }),
      ...more,
      ...(errorId !== undefined && { errorId }),
    };
    adapter.reply(reply, body, status);
  }

  /** 405 instead of the router's 404, with the allowed methods as a text. */
  private orMethodNotAllowed(error: unknown, request: HttpRequest): [error: unknown, allowed?: string] {
    const isOfRouter = error instanceof NotFoundException && routeOf(request) === undefined;
    if (!isOfRouter || !error.message.startsWith('Cannot ')) return [error];
    const { method } = request;
    const path = pathOf(request.originalUrl);
    const methods = platformOf(this.host.httpAdapter).allowedMethods(path);
    if (methods.length === 0 || methods.includes(method)) return [this.unknownRoutes.explain(method, path)];
    const allowed = methods.join(', ');
    return [new MethodNotAllowed(method, path, allowed), allowed];
  }

  /** Only internal errors have a stack: callers can cause all others at will. */
  private log(error: unknown, { logLevel, code, internal }: DescribedError, ids: Record<string, unknown>): void {
    if (logLevel === 'debug' && !internal) return;
    const details = error instanceof AppException ? error.details : undefined;
    const cause = internal ? { err: error } : { reason: reasonOf(error) };
    this.logger.event(logLevel, 'request failed', { ...ids, ...cause, code, details });
  }
}

const UNPROCESSABLE = 422;
const MAX_REASON_LENGTH = 300;

function reasonOf(error: unknown): string {
  const texts = [error, error instanceof Error ? error.cause : undefined].filter((each) => each instanceof Error);
  // Many errors repeat the text of their cause.
  return [...new Set(texts.map(({ message }) => message.slice(0, MAX_REASON_LENGTH)))].join(': ');
}

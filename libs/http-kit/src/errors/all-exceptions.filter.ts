import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ArgumentsHost, Catch, ExceptionFilter, Injectable, NotFoundException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AppLogger } from '../logging/app-logger.js';
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

/** Converts every error into one body, and logs internal errors with their cause. */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly logger: AppLogger,
    private readonly thrown: ThrownErrors,
  ) {}

  catch(thrown: unknown, context: ArgumentsHost): void {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const error = this.orMethodNotAllowed(thrown, request, response);
    const described = describeError(error, request.method);
    this.thrown.report(error);
    const errorId = described.internal ? randomUUID() : undefined;

    this.log(error, described, errorId);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (described.retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', String(described.retryAfterSeconds));
    const body: ErrorBody = {
      statusCode: described.status,
      timestamp: new Date().toISOString(),
      path: request.originalUrl,
      message: described.message,
      error: STATUS_CODES[described.status] ?? 'Error',
      code: described.code,
      ...(errorId !== undefined && { errorId }),
    };
    response.status(described.status).json(body);
  }

  /** Only internal errors are logged with their stack: callers can cause all others at will. */
  private log(error: unknown, { logLevel, code, internal }: DescribedError, errorId?: string): void {
    if (logLevel === 'debug' && !internal) return;
    const details = error instanceof AppException ? error.details : undefined;
    const cause = internal ? { err: error } : { reason: reasonOf(error) };
    this.logger.event(logLevel, 'request failed', { ...cause, errorId, code, details });
  }

  /** Nest answers 404 for a known path with another method. This answers 405 with the allowed methods. */
  private orMethodNotAllowed(error: unknown, request: Request, response: Response): unknown {
    if (!(error instanceof NotFoundException) || request.route !== undefined) return error;
    const allowed = allowedMethods(this.host.httpAdapter.getInstance(), request.path);
    if (allowed.length === 0) {
      return new AppException(
        404,
        'route_not_found',
        `There is no route ${request.method} ${request.path}. The routes are listed at /api.`,
      );
    }
    response.setHeader('Allow', allowed.join(', '));
    return new AppException(405, codeOf(405), `${request.path} takes ${allowed.join(', ')}, not ${request.method}.`);
  }
}

const MAX_REASON_LENGTH = 300;

function reasonOf(error: unknown): string {
  const texts = [error, error instanceof Error ? error.cause : undefined].filter((each) => each instanceof Error);
  return texts.map(({ message }) => message.slice(0, MAX_REASON_LENGTH)).join(': ');
}

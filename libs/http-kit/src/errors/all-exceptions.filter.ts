import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ArgumentsHost, Catch, ExceptionFilter, NotFoundException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AppLogger } from '../logging/app-logger.js';
import { allowedMethods } from '../routing/allowed-methods.js';
import { AppException } from './app-exception.js';
import { codeOf, describeError } from './describe-error.js';
import type { ErrorBody } from './error-body.response.js';

/** Turns whatever was thrown into one body shape, and logs our own faults with their cause. */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly logger: AppLogger,
  ) {}

  catch(thrown: unknown, context: ArgumentsHost): void {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const error = this.orMethodNotAllowed(thrown, request, response);
    const described = describeError(error);
    const errorId = described.internal ? randomUUID() : undefined;

    if (described.logLevel !== 'debug' || described.internal) {
      const details = error instanceof AppException ? error.details : undefined;
      this.logger.event(described.logLevel, 'request failed', { err: error, errorId, code: described.code, details });
    }
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

  /** Nest answers 404 for a known path with another method; clients are told the methods instead (decisions 3.3). */
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

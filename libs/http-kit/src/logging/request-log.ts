import type { NextFunction, Request, Response } from 'express';
import type { AppLogger } from './app-logger.js';

/**
 * Logs one line per response, including those of guards, which an interceptor would miss. It logs the pattern of the
 * route, because a URL contains data of callers.
 */
export function requestLog(logger: AppLogger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = process.hrtime.bigint();
    response.on('close', () => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
      logger.event('info', 'request', {
        method: request.method,
        route,
        status: response.writableFinished ? response.statusCode : 'aborted',
        ms: Math.round(ms * 10) / 10,
      });
    });
    next();
  };
}

import type { NextFunction, Request, Response } from 'express';
import type { AppLogger } from './app-logger.js';

/**
 * One line for every request when it is answered, the refused ones included (an interceptor would miss those that a
 * guard turns away). The route pattern is logged rather than the address, so that no data of callers gets into the log.
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

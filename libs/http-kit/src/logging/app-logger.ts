import { Injectable, LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { AppConfig } from '#libs/config';
import { currentRequestId } from './request-context.js';

/** Never logged, up to the third level, such as request headers in the properties of an error. */
const SECRET_FIELDS = ['authorization', 'Authorization', 'x-api-key', 'X-Api-Key', 'credentials', 'apiKey', 'password'];

type Level = 'debug' | 'info' | 'warn' | 'error';

/**
 * Logs JSON lines with the id of the current request. Nest's own messages are included, those of its start at level
 * debug.
 */
@Injectable()
export class AppLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(config: AppConfig, destination?: DestinationStream) {
    const options = {
      level: config.get('LOG_LEVEL'),
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label: string) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
        censor: '[redacted]',
      },
    };
    this.pino = destination ? pino(options, destination) : pino(options);
  }

  event(level: Level, message: string, fields: Record<string, unknown> = {}): void {
    const requestId = currentRequestId();
    this.pino[level]({ ...(requestId !== undefined && { requestId }), ...fields }, message);
  }

  log(message: unknown, context?: unknown): void {
    this.event('debug', String(message), { context });
  }

  error(message: unknown, ...rest: unknown[]): void {
    // The caller reports errors of the start once.
    if (rest.at(-1) === 'ExceptionHandler') return;
    const err = message instanceof Error ? message : undefined;
    this.event('error', err?.message ?? String(message), { err, context: rest.at(-1) });
  }

  warn(message: unknown, context?: unknown): void {
    this.event('warn', String(message), { context });
  }

  debug(message: unknown, context?: unknown): void {
    this.event('debug', String(message), { context });
  }

  verbose(message: unknown, context?: unknown): void {
    this.event('debug', String(message), { context });
  }
}

import { Injectable, LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { AppConfig } from '#libs/config';

/** Never logged, down to the third level, such as request headers in properties of an error. */
const SECRET_FIELDS = ['authorization', 'Authorization', 'x-api-key', 'X-Api-Key', 'credentials', 'apiKey', 'password'];

type Level = 'debug' | 'info' | 'warn' | 'error';

export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** Pattern of the route. */
  readonly route: string;
  readonly status: number | 'aborted';
  readonly ms: number;
}

/**
 * JSON lines, with `requestId` if they belong to a request. Nest's own messages are included, those of its start at
 * level debug.
 */
@Injectable()
export class AppLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(
    config: AppConfig,
    private readonly output: LogOutput = batchedOutput(),
  ) {
    const options = {
      level: config.get('LOG_LEVEL'),
      base: null,
      timestamp: time,
      formatters: { level: (label: string) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
        censor: '[redacted]',
      },
    };
    this.pino = pino(options, output);
  }

  event(level: Level, message: string, fields: Record<string, unknown> = {}): void {
    this.pino[level](fields, message);
  }

  /** Its fields hold no secrets, so redaction is skipped. */
  request({ requestId, method, route, status, ms }: RequestLine, level: 'info' | 'debug' = 'info'): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const ended = typeof status === 'number' ? status : `"${status}"`;
    this.output.write(
      `{"level":"${level}"${time()},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${ended},"ms":${ms},"msg":"request"}\n`,
    );
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

function time(): string {
  return `,"time":"${new Date().toISOString()}"`;
}

/** Or earlier if there are many lines. */
const FLUSH_AFTER_MS = 20;
const FLUSH_AT_BYTES = 8_192;

interface LogOutput {
  write(line: string): void;
}

let standardOutput: LogOutput | undefined;

/**
 * Batches lines, because a system call costs more than a line. One output per process keeps their order; the rest is
 * written at exit, even after an uncaught error.
 */
function batchedOutput(): LogOutput {
  return (standardOutput ??= batched());
}

function batched(): LogOutput {
  const destination = pino.destination({ dest: 1, sync: false, minLength: FLUSH_AT_BYTES });
  let isScheduled = false;
  const flush = (): void => {
    isScheduled = false;
    destination.flush();
  };
  process.once('exit', () => destination.flushSync());
  return {
    write: (line) => {
      destination.write(line);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
  };
}

import { pino } from 'pino';

/** Or earlier if there are many lines. */
const FLUSH_AFTER_MS = 20;
const FLUSH_AT_BYTES = 8_192;

export interface LogOutput {
  write(line: string): void;
}

let standardOutput: LogOutput | undefined;

/**
 * Batches lines, because a system call costs more than a line. One output per process keeps their order; the rest is
 * written at exit, even after an uncaught error.
 */
export function batchedOutput(): LogOutput {
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

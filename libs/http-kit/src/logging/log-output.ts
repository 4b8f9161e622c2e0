import { pino } from 'pino';

/** Lines are written together after this time, or earlier when there are many. */
const FLUSH_AFTER_MS = 20;
const FLUSH_AT_BYTES = 8_192;

export interface LogOutput {
  write(line: string): void;
}

let standardOutput: LogOutput | undefined;

/**
 * Standard output, written in batches: a system call per line costs more than the line. One for the whole process, so
 * that lines keep their order. What is left is written when the process exits, also after an error that nothing caught.
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

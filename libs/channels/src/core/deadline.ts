import { ProviderError } from './provider-error.js';

/**
 * Runs a piece of work under a time limit: its signal is aborted when the time is over, and the caller goes on even if
 * the work ignores the signal.
 */
export async function withinTime<T>(
  timeoutMs: number,
  subject: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new ProviderError(`${subject} did not answer within ${timeoutMs} ms.`, {
        code: 'timeout',
        retryable: true,
      });
      reject(error);
      controller.abort(error);
    }, timeoutMs);
  });
  // An async wrapper, so that a synchronous throw of `run` becomes a rejection and the timer is cleared.
  const work = (async () => run(controller.signal))();
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
    // The loser of the race may still fail; nobody else will look at it.
    work.catch(() => undefined);
  }
}

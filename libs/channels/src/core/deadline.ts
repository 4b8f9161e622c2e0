import { ProviderError, type FailureOutcome } from '../errors/provider-error.js';

/** After the abort: an answer with a known status still counts. */
const GRACE_MS = 100;

/**
 * The caller continues even if the work ignores the signal.
 * @param outcome called at a timeout: the outcome of the message
 */
export async function withinTime<T>(
  timeoutMs: number,
  subject: string,
  outcome: () => FailureOutcome,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timeOut: ProviderError | undefined;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new ProviderError(`${subject} did not answer within ${timeoutMs} ms.`, {
        code: 'timeout',
        retryable: true,
        outcome: outcome(),
      });
      timeOut = error;
      timer = setTimeout(() => reject(error), GRACE_MS);
      controller.abort(error);
    }, timeoutMs);
  });
  // Async, so that a synchronous throw of `run` becomes a rejection and the timer is cleared.
  const work = (async () => run(controller.signal))();
  try {
    return await Promise.race([work, expired]);
  } catch (error) {
    // The abort error says less than the timeout, unless the provider has answered.
    if (timeOut === undefined || (error instanceof ProviderError && error.statusCode !== undefined)) throw error;
    throw timeOut;
  } finally {
    clearTimeout(timer);
    // The work may still fail after the timeout.
    work.catch(() => undefined);
  }
}

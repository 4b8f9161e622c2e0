import { ProviderError, type FailureOutcome } from '../errors/provider-error.js';

/** How long work may take to end by itself once its signal is aborted: an answer whose status is known still counts. */
const GRACE_MS = 100;

/**
 * Runs a piece of work under a time limit: its signal is aborted when the time is over, and the caller goes on even if
 * the work ignores the signal.
 * @param outcome what a time-out means for the message, asked when it happens
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
  // An async wrapper, so that a synchronous throw of `run` becomes a rejection and the timer is cleared.
  const work = (async () => run(controller.signal))();
  try {
    return await Promise.race([work, expired]);
  } catch (error) {
    // What the abort caused says less than the time-out does, unless the provider has answered.
    if (timeOut === undefined || (error instanceof ProviderError && error.statusCode !== undefined)) throw error;
    throw timeOut;
  } finally {
    clearTimeout(timer);
    // The loser of the race may still fail; nobody else will look at it.
    work.catch(() => undefined);
  }
}

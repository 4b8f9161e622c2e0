import type { OutboundMessage } from '../core/messages.js';
import { ProviderError } from '../errors/provider-error.js';
import type { SendResult } from '../core/provider.js';

/**
 * Sequential requests. Success with all invalid tokens if any request was accepted, otherwise the most informative
 * failure. For an outcome per device, pass one target per message.
 * @param send `index` counts the requests from 0
 */
export async function sendInChunks<M extends OutboundMessage>(
  message: M,
  size: number | undefined,
  send: (part: M, index: number) => Promise<SendResult>,
): Promise<SendResult> {
  if (message.channel !== 'push' || size === undefined || message.target.length <= size) return send(message, 0);
  const results: SendResult[] = [];
  const failures: ProviderError[] = [];
  for (let start = 0; start < message.target.length; start += size) {
    try {
      results.push(await send({ ...message, target: message.target.slice(start, start + size) }, start / size));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failures.push(error);
    }
  }
  return sumUp(results, failures);
}

function sumUp(results: readonly SendResult[], failures: readonly ProviderError[]): SendResult {
  const invalidTokens = [...results, ...failures].flatMap((outcome) => outcome.invalidTokens ?? []);
  const first = results.find(({ id }) => id !== undefined) ?? results[0];
  // An uncertain outcome matters more than a retryable failure.
  const uncertain = failures.find(({ outcome }) => outcome === 'uncertain');
  const failure = uncertain ?? failures.find(({ retryable }) => retryable) ?? failures[0];
  if (first === undefined && failure !== undefined) {
    const { code, retryable, outcome, retryAfterMs, statusCode, raw } = failure;
    throw new ProviderError(failure.message, {
      code,
      retryable,
      outcome,
      raw,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(invalidTokens.length === 0 ? {} : { invalidTokens }),
    });
  }
  const failed = failures.map(({ code, message, outcome, statusCode }) => ({ code, message, outcome, statusCode }));
  const tickets = results.flatMap((result) => result.tickets ?? []);
  return {
    ...first,
    ...(tickets.length > 0 && { tickets }),
    raw: { accepted: results.map(({ id, raw }) => ({ id, raw })), failed },
    ...(invalidTokens.length === 0 ? {} : { invalidTokens }),
  };
}

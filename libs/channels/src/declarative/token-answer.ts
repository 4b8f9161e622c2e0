import { ProviderError } from '../errors/provider-error.js';
import type { OutboundResponse } from '../http/outbound-http.types.js';
import { textAt } from './json-path.js';
import { retryAfterMs } from './retry-after.js';

const LIFETIME_S = 3_600;
/** Tokens are renewed this long before they end. */
const MARGIN_MS = 120_000;

/** An access token, and until when it is used, in milliseconds since 1970. */
export interface AccessToken {
  readonly token: string;
  readonly until: number;
}

/**
 * Reads what an OAuth token endpoint answers (RFC 6749, section 5).
 * @param refusal who refused what, for the error
 * @throws {ProviderError} when there is no token in it
 */
export function tokenOf(answer: OutboundResponse, now: Date, refusal: string): AccessToken {
  const json = answer.json();
  const token = textAt(json, 'access_token');
  if (token !== undefined && answer.status < 300) {
    const seconds = Number(textAt(json, 'expires_in') ?? LIFETIME_S);
    return { token, until: now.getTime() + seconds * 1_000 - MARGIN_MS };
  }
  const passing = answer.status === 429 || answer.status >= 500;
  const wait = retryAfterMs(answer.headers['retry-after'], now);
  const words = textAt(json, 'error_description') ?? textAt(json, 'error');
  throw new ProviderError(`${refusal} (HTTP ${answer.status})${words ? `: ${words}` : '.'}`, {
    code: answer.status === 429 ? 'rate_limited' : passing ? 'unavailable' : 'unauthorized',
    retryable: passing,
    statusCode: answer.status,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

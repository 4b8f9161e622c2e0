import { ProviderError } from '../errors/provider-error.js';
import type { OutboundResponse } from '../http/outbound-http.types.js';
import { textAt } from './json-path.js';
import { retryAfterMs } from '../http/response-body.js';

const LIFETIME_S = 3_600;
/** Tokens are renewed this long before they expire. */
const MARGIN_MS = 120_000;

export interface AccessToken {
  readonly token: string;
  readonly until: number;
}

/**
 * OAuth token endpoint (RFC 6749, section 5).
 * @param refusal text of the error
 * @throws {ProviderError} if the answer has no token
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

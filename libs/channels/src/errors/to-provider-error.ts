import { ProviderError, type FailureOutcome, type ProviderErrorCode } from './provider-error.js';
import { redact } from './redact.js';

/** Connection failures of the system and of its HTTP client. A later attempt can succeed. */
export const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_INVALID_STREAM',
]);

/** Certificate errors last until the certificate is replaced. */
const CERTIFICATE_CODE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

function systemCode(error: unknown): string | undefined {
  for (let current = asErrorLike(error), depth = 0; depth < 5; current = asErrorLike(current.cause), depth += 1) {
    if (typeof current.code === 'string') return current.code;
  }
  return undefined;
}

function classify(error: unknown): { code: ProviderErrorCode; retryable: boolean; words: string } {
  const system = systemCode(error);
  if (system !== undefined && NETWORK_CODES.has(system)) {
    return { code: 'unreachable', retryable: true, words: `could not be reached (${system})` };
  }
  if (system !== undefined && CERTIFICATE_CODE.test(system)) {
    return { code: 'unreachable', retryable: false, words: `showed a certificate that is not valid (${system})` };
  }
  const { name, message } = asErrorLike(error);
  if (name === 'AbortError' || name === 'TimeoutError') {
    return { code: 'timeout', retryable: true, words: 'did not answer in time' };
  }
  const text = typeof message === 'string' ? message : 'an unknown fault';
  return { code: 'unexpected', retryable: false, words: `failed: ${text}` };
}

/**
 * The result contains no secrets.
 * @param subject the failed party, as the first words of the message
 * @param outcome for foreign errors; `not_sent` as long as no byte was sent
 */
export function toProviderError(
  error: unknown,
  subject: string,
  secrets: readonly string[],
  outcome: FailureOutcome,
): ProviderError {
  if (error instanceof ProviderError) {
    return new ProviderError(redact(error.message, secrets), {
      code: error.code,
      retryable: error.retryable,
      outcome: outcome === 'uncertain' ? error.outcome : outcome,
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
      ...(error.statusCode === undefined ? {} : { statusCode: error.statusCode }),
      ...(error.invalidTokens === undefined ? {} : { invalidTokens: error.invalidTokens }),
      ...(error.deadAddresses === undefined ? {} : { deadAddresses: error.deadAddresses }),
      ...(error.isGone === undefined ? {} : { isGone: error.isGone }),
      ...(error.raw === undefined ? {} : { raw: redact(error.raw, secrets) }),
    });
  }
  const { code, retryable, words } = classify(error);
  // Without a cause: a foreign error may contain the request with its secrets.
  return new ProviderError(`${subject} ${redact(words, secrets)}.`, { code, retryable, outcome });
}

/** `instanceof Error` fails for other realms and DOMException. */
export interface ErrorLike {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  cause?: unknown;
}

export function asErrorLike(value: unknown): ErrorLike {
  return typeof value === 'object' && value !== null ? value : {};
}

import { asErrorLike, type ErrorLike } from '../../core/error-like.js';
import { ProviderError, type ProviderErrorCode } from '../../core/provider-error.js';

type SmtpFault = ErrorLike & { responseCode?: unknown; response?: unknown };

const NETWORK = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'EPROTOCOL', 'ESTREAM']);
/** A certificate that does not fit will not fit at the next attempt either. */
const CERTIFICATE = /certificate|self[- ]signed|altnames|wrong version number/i;

function classify(fault: SmtpFault): { code: ProviderErrorCode; retryable: boolean } {
  const reply = typeof fault.responseCode === 'number' ? fault.responseCode : undefined;
  if (reply !== undefined && reply >= 400 && reply < 500) {
    return { code: fault.code === 'EAUTH' ? 'unauthorized' : 'unavailable', retryable: true };
  }
  if (fault.code === 'EAUTH' || fault.code === 'ENOAUTH') return { code: 'unauthorized', retryable: false };
  // 503 speaks of the state of the session, not of the message: a new connection can succeed.
  if (reply === 503) return { code: 'unavailable', retryable: true };
  if (reply !== undefined && reply >= 500) return { code: 'rejected', retryable: false };
  if (fault.code === 'EABORT') return { code: 'timeout', retryable: true };
  if (fault.code === 'ETIMEDOUT') return { code: 'timeout', retryable: true };
  if (CERTIFICATE.test(String(fault.message))) return { code: 'unreachable', retryable: false };
  if (NETWORK.has(String(fault.code))) return { code: 'unreachable', retryable: true };
  if (fault.code === 'EENVELOPE') return { code: 'message_incomplete', retryable: false };
  return { code: fault.code === 'ETLS' ? 'unreachable' : 'unexpected', retryable: false };
}

/** Maps an error of the SMTP client: 4xx replies and faults of the network can pass, 5xx and refused logins cannot. */
export function smtpError(error: unknown): ProviderError {
  const fault: SmtpFault = asErrorLike(error);
  const { code, retryable } = classify(fault);
  const words = typeof fault.response === 'string' ? fault.response : String(fault.message);
  return new ProviderError(`The SMTP server did not take the message: ${words}`, {
    code,
    retryable,
    ...(typeof fault.responseCode === 'number' ? { statusCode: fault.responseCode } : {}),
    raw: { code: fault.code, responseCode: fault.responseCode, response: fault.response },
  });
}

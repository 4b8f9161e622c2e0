import { asErrorLike, type ErrorLike } from '../../errors/to-provider-error.js';
import { ProviderError, type FailureOutcome, type ProviderErrorCode } from '../../errors/provider-error.js';

type SmtpFault = ErrorLike & { responseCode?: unknown; response?: unknown };

const NETWORK = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'EPROTOCOL', 'ESTREAM']);
/** An invalid certificate stays invalid at the next attempt. */
const CERTIFICATE = /certificate|self[- ]signed|altnames|wrong version number/i;

function classify(fault: SmtpFault): { code: ProviderErrorCode; retryable: boolean } {
  const reply = typeof fault.responseCode === 'number' ? fault.responseCode : undefined;
  if (reply !== undefined && reply >= 400 && reply < 500) {
    return { code: fault.code === 'EAUTH' ? 'unauthorized' : 'unavailable', retryable: true };
  }
  if (fault.code === 'EAUTH' || fault.code === 'ENOAUTH') return { code: 'unauthorized', retryable: false };
  // 503 concerns the state of the session: a new connection can succeed.
  if (reply === 503) return { code: 'unavailable', retryable: true };
  if (reply !== undefined && reply >= 500) return { code: 'rejected', retryable: false };
  if (fault.code === 'EABORT') return { code: 'timeout', retryable: true };
  if (fault.code === 'ETIMEDOUT') return { code: 'timeout', retryable: true };
  if (CERTIFICATE.test(String(fault.message))) return { code: 'unreachable', retryable: false };
  if (NETWORK.has(String(fault.code))) return { code: 'unreachable', retryable: true };
  if (fault.code === 'EENVELOPE') return { code: 'message_incomplete', retryable: false };
  return { code: fault.code === 'ETLS' ? 'unreachable' : 'unexpected', retryable: false };
}

/**
 * A reply of a mail server begins with its code. Other text, such as the banner of an internal service, must not be
 * shown.
 */
const REPLY = /^[2-5]\d\d(?:[ -]|$)/;

function wordsOf(fault: SmtpFault, reply: string | undefined): string {
  if (reply !== undefined) return reply;
  return fault.code === 'EPROTOCOL' || typeof fault.response === 'string'
    ? 'what answers there does not speak SMTP'
    : String(fault.message);
}

/**
 * 4xx replies and network errors are retryable; 5xx replies and failed logins are not.
 * @param outcome the outcome of the message if there is no reply
 */
export function smtpError(error: unknown, outcome: FailureOutcome): ProviderError {
  if (error instanceof ProviderError) return error;
  const fault: SmtpFault = asErrorLike(error);
  const { code, retryable } = classify(fault);
  const reply = typeof fault.response === 'string' && REPLY.test(fault.response) ? fault.response : undefined;
  const responseCode = reply !== undefined && typeof fault.responseCode === 'number' ? fault.responseCode : undefined;
  return new ProviderError(`The SMTP server did not take the message: ${wordsOf(fault, reply)}`, {
    code,
    retryable,
    // A server that replies with a refusal has refused the message.
    outcome: responseCode === undefined ? outcome : 'not_sent',
    ...(responseCode === undefined ? {} : { statusCode: responseCode }),
    raw: { code: fault.code, responseCode, response: reply },
  });
}

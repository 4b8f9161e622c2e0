import { asErrorLike, type ErrorLike, NETWORK_CODES } from '../../errors/to-provider-error.js';
import { ProviderError, type FailureOutcome, type ProviderErrorCode } from '../../errors/provider-error.js';

type SmtpFault = ErrorLike & { responseCode?: unknown; response?: unknown };

/** Codes of nodemailer, and of the system: `guardedSocket` passes its errors on. */
const NETWORK: ReadonlySet<string> = new Set([
  'ECONNECTION',
  'ETIMEDOUT',
  'ESOCKET',
  'EDNS',
  'EPROTOCOL',
  'ESTREAM',
  ...NETWORK_CODES,
]);
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
 * Replies of mail servers begin with a code. Other text, such as the banner of an internal service, must not be shown.
 */
const REPLY = /^[2-5]\d\d(?:[ -]|$)/;

function messageOf(fault: SmtpFault, code: ProviderErrorCode, reply: string | undefined): string {
  if (reply !== undefined) {
    return `The SMTP server refused${fault.code === 'EAUTH' ? ' the login' : ''}: ${reply}`;
  }
  if (fault.code === 'EPROTOCOL' || typeof fault.response === 'string') {
    return 'The SMTP server did not take the message: what answers there does not speak SMTP.';
  }
  // A host with several addresses fails with an error without a message.
  const cause = String(fault.message || fault.code).replace(/\.$/, '');
  if (code === 'timeout') return `The SMTP server did not answer in time: ${cause}.`;
  if (code === 'unreachable') return `The SMTP server could not be reached: ${cause}.`;
  return `The SMTP server did not take the message: ${cause}.`;
}

/**
 * 4xx replies and network errors are retryable; 5xx replies and failed logins are not.
 * @param outcome used if there is no reply
 */
export function smtpError(error: unknown, outcome: FailureOutcome): ProviderError {
  if (error instanceof ProviderError) return error;
  const fault: SmtpFault = asErrorLike(error);
  const { code, retryable } = classify(fault);
  const reply = typeof fault.response === 'string' && REPLY.test(fault.response) ? fault.response : undefined;
  const responseCode = reply !== undefined && typeof fault.responseCode === 'number' ? fault.responseCode : undefined;
  return new ProviderError(messageOf(fault, code, reply), {
    code,
    retryable,
    // A server that replies with a refusal has refused the message.
    outcome: responseCode === undefined ? outcome : 'not_sent',
    ...(responseCode === undefined ? {} : { statusCode: responseCode }),
    raw: { code: fault.code, responseCode, response: reply },
  });
}

import { asErrorLike, type ErrorLike, NETWORK_CODES } from '../../errors/to-provider-error.js';
import {
  type DeadAddress,
  ProviderError,
  type FailureOutcome,
  type ProviderErrorCode,
} from '../../errors/provider-error.js';

type SmtpFault = ErrorLike & {
  responseCode?: unknown;
  response?: unknown;
  /** Of a refused recipient. */
  recipient?: unknown;
  /** Of a message that no recipient was taken for. */
  rejectedErrors?: unknown;
};

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

interface Judgement {
  readonly code: ProviderErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

/** Most servers that defer what they do not know take it after five minutes. */
const GREYLISTED_MS = 300_000;
const LIMITED_MS = 60_000;
const GREYLISTED = /gr[ea]y[- ]?list|postgrey|try again in \d+/i;
/** 4.7.28 is Google's code for a limit. */
const LIMITED = /\b4\.7\.28\b|\b4\.5\.3\b|too (?:many|fast|quickly)|rate[- ]?limit|throttl|exceed|quota/i;
/** Enhanced codes for an address and for the state of a mailbox, such as one that is over its quota. */
const OF_MAILBOX = /^45\d[ -]4\.[12]\.\d/;
const TOO_MANY_CONNECTIONS =
  /too many (?:connect|concurrent|simultaneous|sessions)|connections? limit|thread limit|concurrent connections/i;
const WAIT = /(\d{1,5}) ?(s|sec|seconds?|m|min|minutes?)\b/i;

/** The wait that a server names in its words. */
function waitIn(text: string): number | undefined {
  const [, amount, unit = ''] = WAIT.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unit.toLowerCase().startsWith('m') ? 60_000 : 1_000);
}

/**
 * What passes: mail that is let wait because the server does not know its sender yet, a mailbox that takes nothing now, mail
 * above a limit, and a server that closes (421) or has no room.
 */
function deferred(response: string, reply: number): Judgement {
  if (reply !== 421 && GREYLISTED.test(response)) {
    return { code: 'greylisted', retryable: true, retryAfterMs: waitIn(response) ?? GREYLISTED_MS };
  }
  if (OF_MAILBOX.test(response)) return { code: 'mailbox_deferred', retryable: true };
  if (LIMITED.test(response)) {
    return { code: 'rate_limited', retryable: true, retryAfterMs: waitIn(response) ?? LIMITED_MS };
  }
  return { code: 'unavailable', retryable: true };
}

function classify(fault: SmtpFault): Judgement {
  const reply = typeof fault.responseCode === 'number' ? fault.responseCode : undefined;
  if (reply !== undefined && reply >= 400 && reply < 500) {
    if (fault.code === 'EAUTH') return { code: 'unauthorized', retryable: true };
    return deferred(typeof fault.response === 'string' ? fault.response : '', reply);
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

/** RFC 3463: no such mailbox, malformed, moved without a trace, recipient not found, disabled. */
const DEAD = /^55[0134][ -]5\.(?:1\.(?:1|3|6|10)|2\.1)\b/;
const ENHANCED = /^\d{3}[ -]\d\.\d{1,3}\.\d{1,3}\b/;
/** Servers without enhanced codes. */
const UNKNOWN_USER =
  /(?:no such|unknown) (?:user|mailbox|recipient|address)|(?:user|mailbox|recipient|address)(?: \S+)? (?:is )?(?:unknown|not found|does not exist|doesn't exist)/i;

/** The recipients of whom the server says that they do not exist. Refusals for other reasons, such as spam, say nothing of them. */
export function deadAddresses(refusals: unknown): DeadAddress[] {
  if (!Array.isArray(refusals)) return [];
  return refusals.flatMap((refusal: SmtpFault) => {
    const { recipient, response } = refusal;
    if (typeof recipient !== 'string' || typeof response !== 'string') return [];
    const isDead = ENHANCED.test(response)
      ? DEAD.test(response)
      : /^55[013]/.test(response) && UNKNOWN_USER.test(response);
    return isDead ? [{ address: recipient, reason: response }] : [];
  });
}

/** The server takes mail of this sender, only not over so many connections at once. */
export function hasTooManyConnections(error: unknown): boolean {
  const { responseCode, response }: SmtpFault = asErrorLike(error);
  const isDeferred = typeof responseCode === 'number' && responseCode >= 400 && responseCode < 500;
  return isDeferred && typeof response === 'string' && TOO_MANY_CONNECTIONS.test(response);
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
  const { code, retryable, retryAfterMs } = classify(fault);
  const reply = typeof fault.response === 'string' && REPLY.test(fault.response) ? fault.response : undefined;
  const dead = deadAddresses(fault.rejectedErrors);
  const responseCode = reply !== undefined && typeof fault.responseCode === 'number' ? fault.responseCode : undefined;
  return new ProviderError(messageOf(fault, code, reply), {
    code,
    retryable,
    // A server that replies with a refusal has refused the message.
    outcome: responseCode === undefined ? outcome : 'not_sent',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(responseCode === undefined ? {} : { statusCode: responseCode }),
    ...(dead.length > 0 && { deadAddresses: dead }),
    raw: { code: fault.code, responseCode, response: reply },
  });
}

import type { OutboundResponse } from '../http/outbound-http.types.js';
import type { Verdict } from './answer.js';
import { textAt } from './json-path.js';
import { GONE, WRONG_TARGET } from './verdicts.js';

const RETRYABLE =
  /Throttl|TooManyRequests|LimitExceeded|ServiceUnavailable|InternalFailure|InternalError|RequestTimeout/;
const ACCESS =
  /InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|AccessDenied|AuthorizationError|ExpiredToken|InvalidSignature/;

/** The error code of an AWS answer: a header, or an element of XML or JSON of older services. */
export function awsErrorCode(answer: OutboundResponse): string | undefined {
  const { headers, text } = answer;
  const written = headers['x-amzn-errortype']?.split(':')[0] ?? /<Code>([^<]+)<\/Code>/.exec(text)?.[1];
  return written ?? textAt(answer.json(), 'Error.Code');
}

/** AWS reports throttling and invalid keys by a code; statuses differ between its services. */
export function awsVerdict(_json: unknown, answer: OutboundResponse): Verdict | undefined {
  if (answer.status < 300) return undefined;
  const code = awsErrorCode(answer);
  const message = /<Message>([^<]+)<\/Message>/.exec(answer.text)?.[1];
  const words: Verdict = message === undefined ? {} : { message };
  if (code !== undefined && RETRYABLE.test(code)) {
    return { ...words, code: /Throttl|TooMany|Limit/.test(code) ? 'rate_limited' : 'unavailable', retryable: true };
  }
  // SNS: the person has answered STOP; what the number is, is no number.
  if (/opted out/i.test(words.message ?? '')) return { ...words, ...GONE };
  if (/Invalid parameter: PhoneNumber/i.test(words.message ?? '')) return { ...words, ...WRONG_TARGET };
  if (code !== undefined && ACCESS.test(code)) return { ...words, code: 'unauthorized', retryable: false };
  return message === undefined ? undefined : words;
}

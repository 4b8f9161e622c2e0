import type { OutboundResponse } from '../http/outbound-http.types.js';
import type { Verdict } from './answer.js';
import type { CredentialReader } from './credential-reader.js';
import type { HttpCall } from './http-call.js';
import { at, textAt } from './json-path.js';
import { byCode, GONE, LIMITED, PASSING, REJECTED, WRONG_TARGET } from './verdicts.js';

/** Infobip shows the personal base URL without a scheme. */
export function infobipBase(c: CredentialReader): string {
  const base = c('baseUrl');
  return base === '' || /^https?:\/\//i.test(base) ? base : `https://${base}`;
}

/** Reads the balance. Keys that may only send are refused with 403, which proves that they are valid. */
export const infobipCheck = {
  check: (c: CredentialReader): HttpCall => ({
    path: '/account/1/balance',
    headers: { authorization: `App ${c('apiKey')}` },
  }),
  checkAccepts: ({ status }: OutboundResponse): boolean => status === 403,
};

/** https://www.infobip.com/docs/essentials/response-status-and-error-codes */
const judged = byCode(
  [WRONG_TARGET, 'REJECTED_INVALID_DESTINATION REJECTED_DESTINATION REJECTED_PREFIX_MISSING REJECTED_DND'],
  [GONE, 'REJECTED_DESTINATION_ON_BLACKLIST REJECTED_OPTED_OUT'],
  [LIMITED, 'REJECTED_FLOODING_FILTER REJECTED_THROUGHPUT_LIMIT'],
  [PASSING, 'REJECTED_SYSTEM_ERROR'],
);

/** A 200 has an entry for each recipient: it is a refusal if all of them are rejected. */
export function infobipVerdict(json: unknown): Verdict | undefined {
  const messages = at(json, 'messages');
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  if (messages.some((message: unknown) => textAt(message, 'status.groupName') !== 'REJECTED')) return undefined;
  const message = textAt(json, 'messages.0.status.description') ?? 'rejected';
  return { message, ...(judged(textAt(json, 'messages.0.status.name')) ?? REJECTED) };
}

import type { OutboundResponse } from '../http/outbound-http.types.js';
import type { Verdict } from './answer.js';
import type { CredentialReader } from './credential-reader.js';
import type { HttpCall } from './http-call.js';
import { at, textAt } from './json-path.js';

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

/** A 200 has an entry for each recipient: it is a refusal if all of them are rejected. */
export function infobipVerdict(json: unknown): Verdict | undefined {
  const messages = at(json, 'messages');
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  if (messages.some((message: unknown) => textAt(message, 'status.groupName') !== 'REJECTED')) return undefined;
  return { message: textAt(json, 'messages.0.status.description') ?? 'rejected', code: 'rejected', retryable: false };
}

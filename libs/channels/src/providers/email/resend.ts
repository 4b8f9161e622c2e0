import { resendCallback } from '../../callbacks/email-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { bearer } from '../../declarative/http-call.js';
import { byCode, LIMITED, PASSING, REJECTED, UNAUTHORIZED } from '../../declarative/verdicts.js';
import { attachmentList, filled, headerList, mailbox, mailboxes, replyMailbox, textData } from './email-fields.js';

/** The only characters of names and values of tags. */
function tagText(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 256);
}

/** https://resend.com/docs/api-reference/errors */
const judged = byCode(
  [UNAUTHORIZED, 'missing_api_key invalid_api_key restricted_api_key'],
  [LIMITED, 'rate_limit_exceeded daily_quota_exceeded'],
  // A month may be long: nothing changes until somebody buys more.
  [REJECTED, 'monthly_quota_exceeded invalid_idempotent_request'],
);

export const resend = defineHttpProvider({
  id: 'resend',
  channel: 'email',
  base: 'https://api.resend.com',
  request: ({ message, c, context }) => ({
    path: '/emails',
    headers: {
      authorization: bearer(c('apiKey')),
      'idempotency-key': context.idempotencyKey.slice(0, 256) || undefined,
    },
    json: {
      from: mailbox(message.from, message.senderName),
      to: mailboxes(message, message.to),
      cc: filled(mailboxes(message, message.cc)),
      bcc: filled(mailboxes(message, message.bcc)),
      reply_to: replyMailbox(message),
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: filled(message.headers),
      attachments: attachmentList(message, ({ name, mime, base64, cid }) => ({
        filename: name,
        content: base64,
        content_type: mime,
        content_id: cid,
      })),
      tags: headerList(textData(message.customData), 'name', 'value')?.map(({ name = '', value = '' }) => ({
        name: tagText(name),
        value: tagText(value),
      })),
    },
  }),
  answer: {
    id: 'id',
    error: ['message', 'error.message'],
    // An earlier request with the same key is in progress. Its answer is available at the next attempt.
    verdict: (json) =>
      textAt(json, 'name') === 'concurrent_idempotent_requests'
        ? { ...PASSING, outcome: 'uncertain' }
        : judged(textAt(json, 'name')),
  },
  check: (c) => ({ path: '/domains', headers: { authorization: bearer(c('apiKey')) } }),
  // A key that may only send cannot list domains. That answer proves the key.
  checkAccepts: (answer) => textAt(answer.json(), 'name') === 'restricted_api_key',
  callback: resendCallback,
});

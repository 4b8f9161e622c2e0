import { postmarkCallback } from '../../callbacks/shared-secret-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { byCode, PASSING, UNAUTHORIZED, WRONG_TARGET } from '../../declarative/verdicts.js';
import {
  attachmentList,
  headerList,
  joined,
  mailbox,
  mailboxes,
  namedIn,
  replyMailbox,
  textData,
} from './email-fields.js';

/** https://postmarkapp.com/developer/api/overview#error-codes: the recipient bounced or complained, and takes nothing more. */
const INACTIVE = '406';
const judged = byCode([UNAUTHORIZED, '10 412 413'], [PASSING, '100']);

export const postmark = defineHttpProvider({
  id: 'postmark',
  channel: 'email',
  base: 'https://api.postmarkapp.com',
  request: ({ message, c }) => ({
    path: '/email',
    headers: { 'x-postmark-server-token': c('apiKey') },
    json: {
      From: mailbox(message.from, message.senderName),
      To: joined(mailboxes(message, message.to)),
      Cc: joined(mailboxes(message, message.cc)),
      Bcc: joined(mailboxes(message, message.bcc)),
      ReplyTo: replyMailbox(message),
      Subject: message.subject,
      HtmlBody: message.html,
      TextBody: message.text,
      Headers: headerList(message.headers, 'Name', 'Value'),
      Attachments: attachmentList(message, ({ name, mime, base64, cid }) => ({
        Name: name,
        Content: base64,
        ContentType: mime,
        ContentID: cid && `cid:${cid}`,
      })),
      Metadata: textData(message.customData),
    },
  }),
  answer: {
    id: 'MessageID',
    date: 'SubmittedAt',
    error: ['Message'],
    verdict: (json, { status }, targets) => {
      const code = textAt(json, 'ErrorCode') ?? '0';
      const message = textAt(json, 'Message') ?? 'error without a text';
      if (code === INACTIVE) return { message, ...WRONG_TARGET, deadAddresses: namedIn(message, targets) };
      return status < 300 && code !== '0' ? { message } : judged(code);
    },
  },
  check: (c) => ({ path: '/server', headers: { 'x-postmark-server-token': c('apiKey') } }),
  callback: postmarkCallback,
});

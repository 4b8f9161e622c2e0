import { postmarkCallback } from '../../callbacks/shared-secret-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { attachmentList, headerList, joined, mailbox, mailboxes, replyMailbox, textData } from './email-fields.js';

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
    verdict: (json, { status }) =>
      status < 300 && !['0', undefined].includes(textAt(json, 'ErrorCode'))
        ? { message: textAt(json, 'Message') ?? 'error without a text' }
        : undefined,
  },
  check: (c) => ({ path: '/server', headers: { 'x-postmark-server-token': c('apiKey') } }),
  callback: postmarkCallback,
});

import { mailersendCallback } from '../../callbacks/email-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { bearer } from '../../declarative/http-call.js';
import { addressList, attachmentList, headerList, replyTo } from './email-fields.js';

export const mailersend = defineHttpProvider({
  id: 'mailersend',
  channel: 'email',
  base: 'https://api.mailersend.com',
  request: ({ message, c }) => ({
    path: '/v1/email',
    headers: { authorization: bearer(c('apiKey')) },
    json: {
      from: { email: message.from, name: message.senderName },
      to: addressList(message, 'to'),
      cc: addressList(message, 'cc'),
      bcc: addressList(message, 'bcc'),
      reply_to: replyTo(message),
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: headerList(message.headers, 'name', 'value'),
      attachments: attachmentList(message, ({ name, base64, disposition, cid }) => ({
        content: base64,
        filename: name,
        disposition,
        id: cid,
      })),
    },
  }),
  answer: { id: 'header:x-message-id', error: ['message'] },
  check: (c) => ({ path: '/v1/api-quota', headers: { authorization: bearer(c('apiKey')) } }),
  callback: mailersendCallback,
});

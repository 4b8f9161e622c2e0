import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { attachmentList, filled, mailbox } from './email-fields.js';

export const __name__ = defineHttpProvider({
  id: '__file__',
  channel: 'email',
  base: '__base__',
  request: ({ message, c }) => ({
    path: '/v1/mails',
    headers: { authorization: bearer(c('__key__')) },
    json: {
      from: mailbox(message.from, message.senderName),
      to: message.to,
      cc: message.cc,
      bcc: message.bcc,
      reply_to: message.replyTo,
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: filled(message.headers),
      attachments: attachmentList(message, ({ name, mime, base64 }) => ({ name, type: mime, content: base64 })),
    },
  }),
  answer: { id: 'id', error: ['error.message'] },
});

import { sendgridCallback } from '../../callbacks/email-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { bearer } from '../../declarative/http-call.js';
import { addressList, attachmentList, filled, replyTo, sender, textData } from './email-fields.js';

export const sendgrid = defineHttpProvider({
  id: 'sendgrid',
  channel: 'email',
  base: 'https://api.sendgrid.com',
  request: ({ message, c }) => ({
    path: '/v3/mail/send',
    headers: { authorization: bearer(c('apiKey')) },
    json: {
      personalizations: [
        { to: addressList(message, 'to'), cc: addressList(message, 'cc'), bcc: addressList(message, 'bcc') },
      ],
      from: sender(message),
      reply_to: replyTo(message),
      subject: message.subject,
      content: [
        ...(message.text ? [{ type: 'text/plain', value: message.text }] : []),
        { type: 'text/html', value: message.html },
      ],
      headers: filled(message.headers),
      attachments: attachmentList(message, ({ name, mime, base64, disposition, cid }) => ({
        content: base64,
        filename: name,
        type: mime,
        disposition,
        content_id: cid,
      })),
      custom_args: textData(message.customData),
      ip_pool_name: message.ipPoolName ?? (c('ipPoolName') || undefined),
    },
  }),
  answer: { id: 'header:x-message-id', error: ['errors.0.message'] },
  check: (c) => ({ path: '/v3/scopes', headers: { authorization: bearer(c('apiKey')) } }),
  callback: sendgridCallback,
});

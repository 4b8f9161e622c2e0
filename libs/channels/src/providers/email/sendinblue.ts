import { sendinblueCallback } from '../../callbacks/shared-secret-callbacks.js';
import { uuidOf } from '../../declarative/digests.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { addressList, asText, attachmentList, replyTo, sender } from './email-fields.js';

export const sendinblue = defineHttpProvider({
  id: 'sendinblue',
  channel: 'email',
  base: 'https://api.brevo.com',
  request: ({ message, c, context }) => ({
    path: '/v3/smtp/email',
    headers: { 'api-key': c('apiKey') },
    json: {
      sender: sender(message),
      to: addressList(message, 'to'),
      cc: addressList(message, 'cc'),
      bcc: addressList(message, 'bcc'),
      replyTo: replyTo(message),
      subject: message.subject,
      htmlContent: message.html,
      textContent: message.text,
      headers: {
        ...message.headers,
        ...(message.customData && { 'X-Mailin-custom': asText(message.customData) }),
        ...(context.idempotencyKey !== '' && { idempotencyKey: uuidOf(context.idempotencyKey) }),
      },
      attachment: attachmentList(message, ({ name, base64 }) => ({ name, content: base64 })),
    },
  }),
  answer: { id: 'messageId', error: ['message'] },
  check: (c) => ({ path: '/v3/account', headers: { 'api-key': c('apiKey') } }),
  callback: sendinblueCallback,
});

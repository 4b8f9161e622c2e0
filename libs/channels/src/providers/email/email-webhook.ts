import { bodySignature } from '../../declarative/digests.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { attachmentList } from './email-fields.js';

export const emailWebhook = defineHttpProvider({
  id: 'email-webhook',
  channel: 'email',
  request: ({ message, c, context }) => ({
    url: c('webhookUrl'),
    headers: { 'idempotency-key': context.idempotencyKey || undefined },
    json: {
      id: message.id,
      from: message.from,
      senderName: message.senderName,
      to: message.to,
      cc: message.cc,
      bcc: message.bcc,
      replyTo: message.replyTo,
      names: message.names,
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: message.headers,
      attachments: attachmentList(message, ({ name, mime, base64, cid, disposition }) => ({
        name,
        mime,
        file: base64,
        ...(cid !== undefined && { cid, disposition }),
      })),
      customData: message.customData,
      ipPoolName: message.ipPoolName,
    },
  }),
  sign: ({ body }, c) => Promise.resolve({ 'x-novu-signature': bodySignature(body, c('secretKey')) }),
  answer: { id: 'id', idIsOptional: true, error: ['message', 'error'] },
});

import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at } from '../../declarative/json-path.js';
import { addressList, attachmentList, filled, replyTo, sender, textData } from './email-fields.js';

export const mailtrap = defineHttpProvider({
  id: 'mailtrap',
  channel: 'email',
  base: 'https://send.api.mailtrap.io',
  request: ({ message, c }) => ({
    path: '/api/send',
    headers: { authorization: bearer(c('apiKey')) },
    json: {
      from: sender(message),
      to: addressList(message, 'to'),
      cc: addressList(message, 'cc'),
      bcc: addressList(message, 'bcc'),
      reply_to: replyTo(message),
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: filled(message.headers),
      attachments: attachmentList(message, ({ name, mime, base64, disposition, cid }) => ({
        content: base64,
        filename: name,
        type: mime,
        disposition,
        content_id: cid,
      })),
      custom_variables: textData(message.customData),
    },
  }),
  answer: {
    id: 'message_ids.0',
    error: ['errors.0', 'error'],
    verdict: (json, { status }) => (status < 300 && at(json, 'success') === false ? {} : undefined),
  },
});

import { mailjetCallback } from '../../callbacks/shared-secret-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { basic } from '../../declarative/http-call.js';
import { addressList, asText, attachmentList, filled, replyTo, sender, type SentFile } from './email-fields.js';

function file({ name, mime, base64, cid }: SentFile): object {
  return { ContentType: mime, Filename: name, Base64Content: base64, ContentID: cid };
}

export const mailjet = defineHttpProvider({
  id: 'mailjet',
  channel: 'email',
  base: 'https://api.mailjet.com',
  request: ({ message, c }) => ({
    path: '/v3.1/send',
    headers: { authorization: basic(c('apiKey'), c('secretKey')) },
    json: {
      Messages: [
        {
          From: sender(message, ['Email', 'Name']),
          To: addressList(message, 'to', ['Email', 'Name']),
          Cc: addressList(message, 'cc', ['Email', 'Name']),
          Bcc: addressList(message, 'bcc', ['Email', 'Name']),
          ReplyTo: replyTo(message, ['Email', 'Name']),
          Subject: message.subject,
          TextPart: message.text,
          HTMLPart: message.html,
          Headers: filled(message.headers),
          Attachments: attachmentList(message, file, 'attachment'),
          InlinedAttachments: attachmentList(message, file, 'inline'),
          CustomID: message.id,
          EventPayload: message.customData && asText(message.customData),
        },
      ],
    },
  }),
  answer: {
    // The numeric MessageID does not fit into a double; the UUID names the same message.
    id: 'Messages.0.To.0.MessageUUID',
    refusesInBody: true,
    error: ['Messages.0.Errors.0.ErrorMessage', 'ErrorMessage'],
    verdict: (json, { status }) =>
      status < 300 && textAt(json, 'Messages.0.Status') === 'error'
        ? { message: textAt(json, 'Messages.0.Errors.0.ErrorMessage') ?? 'error without a text' }
        : undefined,
  },
  check: (c) => ({ path: '/v3/REST/apikey', headers: { authorization: basic(c('apiKey'), c('secretKey')) } }),
  callback: mailjetCallback,
});

import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { attachmentList, filled } from './email-fields.js';

export const plunk = defineHttpProvider({
  id: 'plunk',
  channel: 'email',
  base: 'https://api.useplunk.com',
  request: ({ message, c }) => ({
    path: '/v1/send',
    headers: { authorization: bearer(c('apiKey')) },
    json: {
      to: [...message.to, ...(message.cc ?? []), ...(message.bcc ?? [])],
      subject: message.subject,
      body: message.html,
      name: message.senderName || undefined,
      from: message.from,
      reply: message.replyTo,
      headers: filled(message.headers),
      attachments: attachmentList(message, ({ name, mime, base64 }) => ({
        filename: name,
        content: base64,
        contentType: mime,
      })),
    },
  }),
  answer: {
    // Versions of the answer differ in the position of the id.
    id: (json) =>
      textAt(json, 'emails.0.email') ?? textAt(json, 'data.emails.0.id') ?? textAt(json, 'data.emails.0.email'),
    error: ['message', 'error'],
    verdict: (json, { status }) => (status < 300 && at(json, 'success') === false ? {} : undefined),
  },
});

import type { EmailMessage } from '../../core/messages.js';
import type { FormPart } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { infobipBase, infobipCheck, infobipVerdict } from '../../declarative/infobip.js';
import { fileParts, mailbox } from './email-fields.js';

function parts(message: EmailMessage): FormPart[] {
  const lists = { to: message.to, cc: message.cc ?? [], bcc: message.bcc ?? [] };
  const fields = {
    subject: message.subject,
    html: message.html,
    text: message.text,
    replyTo: message.replyTo,
    callbackData: message.id,
  };
  return [
    { name: 'from', value: mailbox(message.from, message.senderName) },
    ...Object.entries(lists).flatMap(([name, addresses]) => addresses.map((value) => ({ name, value }))),
    ...Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    ...fileParts(message, { attachment: 'attachment', inline: 'inlineImage' }),
  ];
}

export const infobipEmail = defineHttpProvider({
  id: 'infobip-email',
  channel: 'email',
  userBase: infobipBase,
  request: ({ message, c }) => ({
    path: '/email/3/send',
    headers: { authorization: `App ${c('apiKey')}` },
    multipart: parts(message),
  }),
  answer: {
    id: 'messages.0.messageId',
    error: ['requestError.serviceException.text'],
    refusesInBody: true,
    verdict: infobipVerdict,
  },
  ...infobipCheck,
});

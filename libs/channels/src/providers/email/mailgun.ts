import { mailgunCallback } from '../../callbacks/email-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { basic, type FormPart } from '../../declarative/http-call.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import type { EmailMessage } from '../../core/messages.js';
import { fileParts, joined, mailbox, mailboxes, replyMailbox, textData } from './email-fields.js';

function authorization(c: CredentialReader): string {
  return basic(c('user') || 'api', c('apiKey'));
}

function parts(message: EmailMessage): FormPart[] {
  const fields: Record<string, string | undefined> = {
    from: mailbox(message.from, message.senderName),
    to: joined(mailboxes(message, message.to)),
    cc: joined(mailboxes(message, message.cc)),
    bcc: joined(mailboxes(message, message.bcc)),
    subject: message.subject,
    text: message.text,
    html: message.html,
    'h:Reply-To': replyMailbox(message),
    'o:sending-ip-pool': message.ipPoolName,
  };
  for (const [name, value] of Object.entries(message.headers ?? {})) fields[`h:${name}`] = value;
  for (const [name, value] of Object.entries(textData(message.customData) ?? {})) fields[`v:${name}`] = value;
  return [
    ...Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    ...fileParts(message, { attachment: 'attachment', inline: 'inline' }),
  ];
}

export const mailgun = defineHttpProvider({
  id: 'mailgun',
  channel: 'email',
  base: 'https://api.mailgun.net',
  userBase: (c) => c('baseUrl'),
  request: ({ message, c }) => ({
    path: `/v3/${c.segment('domain')}/messages`,
    headers: { authorization: authorization(c) },
    multipart: parts(message),
  }),
  // Callbacks name the id without its angle brackets.
  answer: { id: (json) => textAt(json, 'id')?.replace(/^<|>$/g, ''), error: ['message'] },
  check: (c) => ({ path: `/v3/domains/${c.segment('domain')}`, headers: { authorization: authorization(c) } }),
  callback: mailgunCallback,
});

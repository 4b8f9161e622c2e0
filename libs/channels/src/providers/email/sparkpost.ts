import { sparkpostCallback } from '../../callbacks/shared-secret-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at } from '../../declarative/json-path.js';
import type { EmailMessage } from '../../core/messages.js';
import {
  addressList,
  attachmentList,
  filled,
  joined,
  mailboxes,
  replyMailbox,
  sender,
  type SentFile,
} from './email-fields.js';

/** Copies are separate recipients whose `header_to` shows the main ones. A single one is shown by its name. */
function recipients(message: EmailMessage): { address: Record<string, string> }[] {
  const copies = [...(message.cc ?? []), ...(message.bcc ?? [])];
  const shown = mailboxes(message, message.to).join(', ');
  const main = addressList(message, 'to') ?? [];
  return [
    ...main.map(({ email = '', ...name }) => ({
      address: { email, ...(main.length > 1 ? { header_to: shown } : name) },
    })),
    ...copies.map((email) => ({ address: { email, header_to: shown } })),
  ];
}

/** Its API names an image by its content id. */
function file({ name, mime, base64, cid }: SentFile): object {
  return { name: cid ?? name, type: mime, data: base64 };
}

export const sparkpost = defineHttpProvider({
  id: 'sparkpost',
  channel: 'email',
  base: (c) => (c('region').toLowerCase() === 'eu' ? 'https://api.eu.sparkpost.com' : 'https://api.sparkpost.com'),
  request: ({ message, c }) => ({
    path: '/api/v1/transmissions',
    headers: { authorization: c('apiKey') },
    json: {
      options: filled({ ...(message.ipPoolName && { ip_pool: message.ipPoolName }) }),
      recipients: recipients(message),
      content: {
        from: sender(message),
        subject: message.subject,
        html: message.html,
        text: message.text,
        reply_to: replyMailbox(message),
        headers: filled({
          ...message.headers,
          ...(message.cc?.length && { CC: joined(mailboxes(message, message.cc)) }),
        }),
        attachments: attachmentList(message, file, 'attachment'),
        inline_images: attachmentList(message, file, 'inline'),
      },
      metadata: message.customData,
    },
  }),
  // 420: a sending limit of the plan is exhausted for now.
  answer: {
    id: 'results.id',
    error: ['errors.0.description', 'errors.0.message'],
    retryable: [420],
    verdict: (json, { status }) => {
      const [accepted, rejected] = ['accepted', 'rejected'].map((kind) => at(json, `results.total_${kind}_recipients`));
      if (status >= 300 || accepted !== 0 || typeof rejected !== 'number' || rejected === 0) return undefined;
      return { message: 'every recipient was rejected', code: 'rejected', retryable: false };
    },
  },
  check: (c) => ({ path: '/api/v1/account', headers: { authorization: c('apiKey') } }),
  // A key without this permission gets 403; a wrong key gets 401.
  checkAccepts: ({ status }) => status === 403,
  callback: sparkpostCallback,
});

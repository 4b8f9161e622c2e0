import { mandrillCallback } from '../../callbacks/email-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import type { Verdict } from '../../declarative/answer.js';
import type { EmailMessage } from '../../core/messages.js';
import { byCode, REJECTED, UNAUTHORIZED } from '../../declarative/verdicts.js';
import type { DeadAddress } from '../../errors/provider-error.js';
import { attachmentList, filled, replyMailbox, type SentFile, textData } from './email-fields.js';

/** Mandrill answers every error with 500; only the name says what kind it is. */
const judged = byCode(
  [UNAUTHORIZED, 'Invalid_Key'],
  [REJECTED, 'ValidationError PaymentRequired Unknown_Subaccount Unknown_Template Invalid_Template Unknown_Sender'],
);

/** Of those whom it does not send to: who does not exist. Others, such as who has unsubscribed, are left as they are. */
function deadIn(json: unknown): DeadAddress[] {
  const all: readonly unknown[] = Array.isArray(json) ? json : [];
  return all.flatMap((item) => {
    const [address, reason] = [textAt(item, 'email'), textAt(item, 'reject_reason') ?? textAt(item, 'status')];
    return address !== undefined && (reason === 'hard-bounce' || reason === 'invalid') ? [{ address, reason }] : [];
  });
}

function verdict(json: unknown, { status: http }: { status: number }): Verdict | undefined {
  const name = textAt(json, 'name');
  const known = judged(name);
  if (known) return { ...known, message: textAt(json, 'message') ?? name ?? '' };
  if (http < 300 && textAt(json, 'status') === 'error') return {};
  const status = textAt(json, '0.status');
  // One answer per recipient: it counts as refused when all of them are.
  const all = Array.isArray(json) && json.every((item) => ['rejected', 'invalid'].includes(String(at(item, 'status'))));
  if (!all || !status) return undefined;
  const message = `${status} (${textAt(json, '0.reject_reason') ?? 'no reason given'})`;
  return { message, deadAddresses: deadIn(json) };
}

function recipients(message: EmailMessage): { email: string; name?: string; type: string }[] {
  const lists = { to: message.to, cc: message.cc ?? [], bcc: message.bcc ?? [] };
  return Object.entries(lists).flatMap(([type, addresses]) =>
    addresses.map((email) => ({ email, ...(message.names?.[email] && { name: message.names[email] }), type })),
  );
}

/** Its API names an image by its content id. */
function file({ name, mime, base64, cid }: SentFile): object {
  return { type: mime, name: cid ?? name, content: base64 };
}

export const mandrill = defineHttpProvider({
  id: 'mandrill',
  channel: 'email',
  base: 'https://mandrillapp.com',
  request: ({ message, c }) => ({
    path: '/api/1.0/messages/send.json',
    json: {
      key: c('apiKey'),
      message: {
        html: message.html,
        text: message.text,
        subject: message.subject,
        from_email: message.from,
        from_name: message.senderName || undefined,
        to: recipients(message),
        headers: filled({ ...message.headers, ...(message.replyTo && { 'Reply-To': replyMailbox(message) }) }),
        metadata: textData(message.customData),
        attachments: attachmentList(message, file, 'attachment'),
        images: attachmentList(message, file, 'inline'),
      },
      async: false,
      ip_pool: message.ipPoolName,
    },
  }),
  answer: { id: '0._id', error: ['message'], refusesInBody: true, verdict, deadAddresses: deadIn },
  check: (c) => ({ method: 'POST', path: '/api/1.0/users/ping.json', json: { key: c('apiKey') } }),
  callback: mandrillCallback,
});

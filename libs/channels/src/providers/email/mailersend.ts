import { mailersendCallback } from '../../callbacks/email-callbacks.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { bearer } from '../../declarative/http-call.js';
import { at, textAt } from '../../declarative/json-path.js';
import { WRONG_TARGET } from '../../declarative/verdicts.js';
import type { Verdict } from '../../declarative/answer.js';
import type { DeadAddress } from '../../errors/provider-error.js';
import { addressList, attachmentList, headerList, replyTo, sender } from './email-fields.js';

/** A message to people on its lists of suppressions is accepted with a warning, and sent to nobody of them. */
function suppressed(json: unknown): readonly unknown[] {
  const warnings = at(json, 'warnings');
  return Array.isArray(warnings) ? warnings : [];
}

function deadIn(json: unknown): DeadAddress[] {
  const people = suppressed(json).flatMap((warning) => at(warning, 'recipients') ?? []);
  return people.flatMap((person) => {
    const [address, reasons] = [textAt(person, 'email'), at(person, 'reasons')];
    const isDead = Array.isArray(reasons) && reasons.includes('hard_bounced');
    return address !== undefined && isDead ? [{ address, reason: 'hard_bounced' }] : [];
  });
}

function verdict(json: unknown, { status }: { status: number }): Verdict | undefined {
  const isForNobody = suppressed(json).some((warning) => textAt(warning, 'type') === 'ALL_SUPPRESSED');
  if (status >= 300 || !isForNobody) return undefined;
  return { message: 'every recipient is suppressed', ...WRONG_TARGET, deadAddresses: deadIn(json) };
}

export const mailersend = defineHttpProvider({
  id: 'mailersend',
  channel: 'email',
  base: 'https://api.mailersend.com',
  request: ({ message, c }) => ({
    path: '/v1/email',
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
      headers: headerList(message.headers, 'name', 'value'),
      attachments: attachmentList(message, ({ name, base64, disposition, cid }) => ({
        content: base64,
        filename: name,
        disposition,
        id: cid,
      })),
    },
  }),
  answer: { id: 'header:x-message-id', error: ['message'], verdict, deadAddresses: deadIn },
  check: (c) => ({ path: '/v1/api-quota', headers: { authorization: bearer(c('apiKey')) } }),
  callback: mailersendCallback,
});

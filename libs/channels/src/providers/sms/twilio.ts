import { twilioCallback } from '../../callbacks/sms-callbacks.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { approvedTemplate } from '../approved-template.js';
import { basic } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { byCode, GONE, LIMITED, PASSING, REJECTED, UNAUTHORIZED, WRONG_TARGET } from '../../declarative/verdicts.js';
import { customFields, senderOf } from './sms-fields.js';

/** https://www.twilio.com/docs/api/errors */
const judged = byCode(
  // The person has answered STOP; no such number; it takes no text messages; a landline.
  [GONE, '21610 21211 21614 21635'],
  // No route to this number; the recipient of WhatsApp is none.
  [WRONG_TARGET, '21612 63003 63024'],
  // The queue of the sender is full; too many requests; limits of WhatsApp.
  [LIMITED, '21611 14107 20429 63018'],
  [PASSING, '20500 20503 30008'],
  [UNAUTHORIZED, '20003 20005 20006'],
);

function headers(c: CredentialReader): { authorization: string } {
  return { authorization: basic(c('accountSid'), c('token')) };
}

export const twilio = defineHttpProvider({
  id: 'twilio',
  channel: 'sms',
  base: 'https://api.twilio.com',
  request: ({ message, c }) => {
    const from = senderOf(message, c);
    // The same credential holds numbers and ids of messaging services.
    const sender = from?.startsWith('MG') === true ? { MessagingServiceSid: from } : { From: from };
    // Both ends are of the same network.
    const to = from?.startsWith('whatsapp:') && !message.to.includes(':') ? `whatsapp:${message.to}` : message.to;
    const template = approvedTemplate(message.customData);
    const content =
      template === undefined
        ? { Body: message.content }
        : { ContentSid: template.name, ContentVariables: JSON.stringify(Object.fromEntries(template.parameters)) };
    return {
      path: `/2010-04-01/Accounts/${c.segment('accountSid')}/Messages.json`,
      headers: headers(c),
      form: { To: to, ...sender, ...content, ...customFields(message, 'To', ...(template ? ['template'] : [])) },
    };
  },
  answer: {
    id: 'sid',
    error: ['message'],
    verdict: (json, { status }) => {
      if (status >= 400) return judged(textAt(json, 'code'));
      if (status >= 300 || textAt(json, 'status') !== 'failed') return undefined;
      const message = textAt(json, 'error_message') ?? 'the message failed';
      return { message, ...(judged(textAt(json, 'error_code')) ?? REJECTED) };
    },
  },
  check: (c) => ({ path: `/2010-04-01/Accounts/${c.segment('accountSid')}.json`, headers: headers(c) }),
  callback: twilioCallback,
});

import { twilioCallback } from '../../callbacks/sms-callbacks.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { basic } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { customFields, senderOf } from './sms-fields.js';

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
    return {
      path: `/2010-04-01/Accounts/${c.segment('accountSid')}/Messages.json`,
      headers: headers(c),
      form: { To: message.to, ...sender, Body: message.content, ...customFields(message, 'To') },
    };
  },
  answer: {
    id: 'sid',
    error: ['message'],
    verdict: (json, { status }) =>
      // 21610: the person has answered STOP; 21211, 21614: there is no such number, or it takes no text messages.
      ['21610', '21211', '21614'].includes(textAt(json, 'code') ?? '') && status >= 400
        ? { code: 'invalid_target', retryable: false, isGone: true }
        : status < 300 && textAt(json, 'status') === 'failed'
          ? { message: textAt(json, 'error_message') ?? 'the message failed', code: 'rejected', retryable: false }
          : undefined,
  },
  check: (c) => ({ path: `/2010-04-01/Accounts/${c.segment('accountSid')}.json`, headers: headers(c) }),
  callback: twilioCallback,
});

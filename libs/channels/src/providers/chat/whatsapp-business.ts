import type { ChatMessage } from '../../core/messages.js';
import type { Verdict } from '../../declarative/answer.js';
import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { digits } from '../sms/sms-fields.js';
import { phoneOf } from './chat-fields.js';

const API = '/v21.0';

const CODES: Readonly<Record<string, Verdict>> = {
  '4': { code: 'rate_limited', retryable: true },
  '80007': { code: 'rate_limited', retryable: true },
  '130429': { code: 'rate_limited', retryable: true },
  '131048': { code: 'rate_limited', retryable: true },
  '131056': { code: 'rate_limited', retryable: true },
  '1': { code: 'unavailable', retryable: true },
  '2': { code: 'unavailable', retryable: true },
  '131000': { code: 'unavailable', retryable: true },
  '131016': { code: 'unavailable', retryable: true },
  '0': { code: 'unauthorized', retryable: false },
  '190': { code: 'unauthorized', retryable: false },
  '131026': { code: 'invalid_target', retryable: false },
};

/** Kinds of messages, each with a field of its own in the request. */
const KINDS = [
  'template',
  'interactive',
  'image',
  'document',
  'video',
  'audio',
  'location',
  'contacts',
  'sticker',
  'reaction',
];

/** Custom data can choose another kind, such as the template that a first contact needs. */
function body({ content, customData = {} }: ChatMessage): object {
  const kind = customData['type'] ?? KINDS.find((name) => Object.hasOwn(customData, name)) ?? 'text';
  const own = customData['text'];
  const text = { preview_url: false, body: content, ...(typeof own === 'object' && own) };
  return { ...customData, type: kind, ...(kind === 'text' && { text }) };
}

export const whatsappBusiness = defineHttpProvider({
  id: 'whatsapp-business',
  channel: 'chat',
  base: 'https://graph.facebook.com',
  request: ({ message, c }) => ({
    path: `${API}/${c.segment('phoneNumberIdentification')}/messages`,
    headers: { authorization: bearer(c('apiToken')) },
    json: {
      messaging_product: 'whatsapp',
      ...body(message),
      recipient_type: 'individual',
      to: digits(phoneOf(message)),
    },
  }),
  answer: {
    id: 'messages.0.id',
    error: ['error.error_data.details', 'error.message'],
    verdict: (json) => {
      const code = textAt(json, 'error.code');
      return code === undefined ? undefined : (CODES[code] ?? {});
    },
  },
  check: (c) => ({
    path: `${API}/${c.segment('phoneNumberIdentification')}`,
    headers: { authorization: bearer(c('apiToken')) },
  }),
});

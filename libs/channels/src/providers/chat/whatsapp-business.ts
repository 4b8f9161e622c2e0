import type { ChatMessage } from '../../core/messages.js';
import { approvedTemplate, type ApprovedTemplate } from '../approved-template.js';
import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { byCode, LIMITED, PASSING, UNAUTHORIZED, WRONG_TARGET } from '../../declarative/verdicts.js';
import { digits } from '../sms/sms-fields.js';
import { phoneOf } from './chat-fields.js';

const API = '/v21.0';

/** https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes */
const judged = byCode(
  [LIMITED, '4 80007 130429 131048 131049 131056'],
  // Unknown, service down or overloaded, in maintenance.
  [PASSING, '1 2 131000 131016 131057 133004'],
  // Token, permissions, an account that is locked or restricted.
  [UNAUTHORIZED, '0 3 10 190 200 131005 131031 368'],
  // Not on WhatsApp; wants no marketing.
  [WRONG_TARGET, '131026 131050 131021'],
);

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

function templateOf({ name, language, parameters, isNamed }: ApprovedTemplate): object {
  const texts = parameters.map(([key, text]) => ({ type: 'text', ...(isNamed && { parameter_name: key }), text }));
  const components = texts.length > 0 ? { components: [{ type: 'body', parameters: texts }] } : {};
  return { name, language: { code: language }, ...components };
}

/** Custom data can choose another kind, such as the template that a first contact needs. */
function body({ content, customData = {} }: ChatMessage): object {
  const template = approvedTemplate(customData);
  if (template !== undefined) return { ...customData, type: 'template', template: templateOf(template) };
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
      return code === undefined ? undefined : (judged(code) ?? {});
    },
  },
  check: (c) => ({
    path: `${API}/${c.segment('phoneNumberIdentification')}`,
    headers: { authorization: bearer(c('apiToken')) },
  }),
});

import type { CredentialReader } from '../../declarative/credential-reader.js';
import { basic } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at } from '../../declarative/json-path.js';
import { customData, dltFields, senderOf } from './sms-fields.js';

function headers(c: CredentialReader): { authorization: string } {
  return { authorization: basic(c('accountSid'), c('token')) };
}

export const plivo = defineHttpProvider({
  id: 'plivo',
  channel: 'sms',
  base: 'https://api.plivo.com',
  request: ({ message, c }) => ({
    path: `/v1/Account/${c.segment('accountSid')}/Message/`,
    headers: headers(c),
    json: {
      src: senderOf(message, c),
      dst: message.to,
      text: message.content,
      ...dltFields(message, { entityId: 'dlt_entity_id', templateId: 'dlt_template_id' }),
      ...customData(message, 'dst', 'dlt'),
    },
  }),
  answer: {
    id: 'message_uuid.0',
    error: ['error', 'error.error', 'message'],
    verdict: (json, { status }) =>
      status < 300 && at(json, 'message_uuid.0') === undefined && at(json, 'invalid_number.0') !== undefined
        ? { message: 'the number is not valid', code: 'invalid_target', retryable: false }
        : undefined,
  },
  check: (c) => ({ path: `/v1/Account/${c.segment('accountSid')}/`, headers: headers(c) }),
});

import type { ApiPropertyOptions } from '@nestjs/swagger';
import { CREDENTIAL_KEYS } from '#libs/channels';
import { CONDITION_OPERATORS, GROUP_TYPES, GROUP_VALUES } from '#libs/conditions';
import { MAX_CREDENTIAL_LENGTH } from '../credentials.js';

const each = (keys: readonly string[], schema: object): [string, object][] => keys.map((key) => [key, schema]);

/** `credentials` as OpenAPI shows them: every key of the published interface and those of further providers. */
export const CREDENTIALS_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries([
    ...each(CREDENTIAL_KEYS.strings, { type: 'string', maxLength: MAX_CREDENTIAL_LENGTH }),
    ...each(CREDENTIAL_KEYS.booleans, { type: 'boolean' }),
    ...each(CREDENTIAL_KEYS.objects, { type: 'object', additionalProperties: true }),
  ]),
  example: { host: '127.0.0.1', port: '1025', from: 'hello@example.com', senderName: 'Example', ignoreTls: true },
} as unknown as ApiPropertyOptions & { type: 'object' };

/** `conditions` as OpenAPI shows them. */
export const CONDITIONS_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['children'],
    properties: {
      isNegated: { type: 'boolean' },
      type: { type: 'string', enum: [...GROUP_TYPES] },
      value: { type: 'string', enum: [...GROUP_VALUES] },
      children: {
        type: 'array',
        items: {
          type: 'object',
          required: ['on', 'field', 'operator'],
          properties: {
            on: { type: 'string', enum: ['tenant'] },
            field: { type: 'string' },
            operator: { type: 'string', enum: [...CONDITION_OPERATORS] },
            value: {},
          },
        },
      },
    },
  },
  example: [{ value: 'AND', children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' }] }],
} as unknown as ApiPropertyOptions & { type: 'array' };

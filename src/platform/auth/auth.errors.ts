import { defineError } from '#libs/http-kit';
import type { KeyScope } from '#libs/common';

export const Unauthorized = defineError(
  401,
  'unauthorized',
  (reason: string) => `${reason} Send the header 'Authorization: ApiKey <your key>'.`,
  ['The request carries no API key.'],
);

export const ScopeMissing = defineError(
  403,
  'scope_missing',
  (scope: KeyScope) =>
    `This needs an API key with the scope '${scope}', which yours lacks. A key with the scope 'admin' can issue one.`,
  ['read'],
);

export const ApiKeyNeeded = defineError(
  403,
  'api_key_needed',
  'This address is for agents, which call it with an API key. Issue one of the kind agent, in the console under API keys or with POST /v1/environments/api-keys.',
);

export const AgentKeyElsewhere = defineError(
  403,
  'agent_key_elsewhere',
  'This is the key of an agent, which opens /mcp and nothing else. Use a key of the kind server.',
);

export const KeyExceedsIssuer = defineError(
  403,
  'key_exceeds_issuer',
  (excess: string) =>
    `A key cannot exceed the rights of the key that issues or changes it: ${excess}. Request fewer rights.`,
  ['yours lacks the scope write'],
);

export const ApiKeyExpired = defineError(
  409,
  'api_key_expired',
  (id: string) => `The API key '${id}' has expired. Issue a new one instead.`,
  ['{apiKeyId}'],
);

export const ApiKeyNotFound = defineError(
  404,
  'api_key_not_found',
  (id: string) =>
    `This environment has no API key with the id '${id}'. List them with GET /v1/environments/api-keys/all.`,
  ['{apiKeyId}'],
);

export const LastApiKey = defineError(
  409,
  'last_api_key',
  'This is the only active key of the environment with the scope admin. Issue another one first, then revoke this one.',
);

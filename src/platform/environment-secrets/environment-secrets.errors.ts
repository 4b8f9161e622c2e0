import { defineError } from '#libs/http-kit';

export const SecretNotFound = defineError(
  404,
  'secret_not_found',
  (name: string) => `This environment has no secret named '${name}'. List the names with GET /v1/secrets.`,
  ['CRM_TOKEN'],
);

export const InvalidSecretName = defineError(
  400,
  'invalid_secret_name',
  (name: string) =>
    `'${name}' cannot be the name of a secret. Use a letter, then at most 63 letters, digits and underscores.`,
  ['crm token'],
);

/** A request that uses secrets must not be sent. The text is for the trail. */
export class SecretRefused extends Error {}

import { defineError } from '#libs/http-kit';

export const EnvironmentNotFound = defineError(
  404,
  'environment_not_found',
  (id: string) => `Your organization has no environment '${id}'. List them with GET /v1/environments.`,
  ['64f0c1a2b3c4d5e6f7a8b9c0'],
);

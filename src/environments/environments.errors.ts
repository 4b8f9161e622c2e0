import { defineError } from '#libs/http-kit';

export const EnvironmentNotFound = defineError(
  404,
  'environment_not_found',
  (id: string) => `Your organization has no environment '${id}'. List them with GET /v1/environments.`,
);

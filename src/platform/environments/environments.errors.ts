import { defineError } from '#libs/http-kit';

export const EnvironmentNotFound = defineError(
  404,
  'environment_not_found',
  (id: string) => `Your organization has no environment '${id}'. List them with GET /v1/environments.`,
  ['64f0c1a2b3c4d5e6f7a8b9c0'],
);

/** Of every route that changes a definition. */
export const EnvironmentReadOnly = defineError(
  403,
  'environment_read_only',
  (name: string) =>
    `The environment '${name}' is read-only: its workflows, layouts, translations, feeds, groups, overrides and budgets change by promotion only. Change them in another environment and promote them from there, or let an owner allow changes with PATCH /v1/environments/me.`,
  ['Production'],
);

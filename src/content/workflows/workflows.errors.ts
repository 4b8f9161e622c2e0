import { defineError } from '#libs/http-kit';

export const WorkflowNotFound = defineError(
  404,
  'workflow_not_found',
  (idOrIdentifier: string) =>
    `This environment has no workflow '${idOrIdentifier}'. List them with GET /v1/workflows or create it with POST /v1/workflows.`,
  ['{workflowId}'],
);

export const WorkflowIdentifierTaken = defineError(
  409,
  'workflow_identifier_taken',
  (identifier: string) =>
    `Another workflow of this environment has the trigger identifier '${identifier}'. Choose another one.`,
  ['order-shipped'],
);

export const WorkflowInUse = defineError(
  409,
  'workflow_in_use',
  (identifier: string) =>
    `The workflow '${identifier}' sends the digest of a budget. Change or delete the budget first; GET /v1/budgets lists them.`,
  ['order-shipped'],
);

export const WorkflowProtected = defineError(
  403,
  'workflow_protected',
  (identifier: string) =>
    `Herald tells people of itself through the workflow '${identifier}', so changing it needs the scope 'admin'. Ask an owner.`,
  ['herald-alert'],
);

export const WorkflowTooLarge = defineError(
  413,
  'workflow_too_large',
  (bytes: number, limit: number) =>
    `The workflow takes ${bytes} bytes; ${limit} is the limit. Shorten its templates or split it.`,
  [17_000_000, 16_000_000],
);

export const WorkflowChangedMeanwhile = defineError(
  409,
  'workflow_changed_meanwhile',
  (id: string) =>
    `The workflow '${id}' was repeatedly changed by other requests at the same time. Read it and try again.`,
  ['{workflowId}'],
);

/** What `If-Match` asked for does not hold. */
export const WorkflowVersionChanged = defineError(
  412,
  'workflow_version_changed',
  (id: string, version: number) =>
    `The workflow '${id}' was changed: it is at version ${version}, which If-Match does not name. GET /v1/workflows/${id}/versions/${version}?since={version} shows what changed since your version.`,
  ['{workflowId}', 7],
);

export const WorkflowVersionNotFound = defineError(
  404,
  'workflow_version_not_found',
  (id: string, version: number) =>
    `The workflow '${id}' has no version ${version}, or it is no longer kept. List the versions with GET /v1/workflows/${id}/versions.`,
  ['{workflowId}', 2],
);

/** Steps that are well-formed but could only fail. */
export const StepsNotRunnable = defineError(422, 'steps_not_runnable', (faults: readonly string[]) => [...faults], [
  [
    'steps.0.template.type must not be custom: such steps are not run here. Use one of in_app, email, sms, chat, push, digest, delay, throttle, wait_for_event and http_request',
  ],
]);

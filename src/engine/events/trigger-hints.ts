export const TRIGGER_STATUSES = [
  'processed',
  'trigger_not_active',
  'no_workflow_steps_defined',
  'no_workflow_active_steps_defined',
  'no_tenant_found',
  'error',
] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

const MAX_NAME_LENGTH = 100;

/**
 * What to do about a trigger that delivers nothing, beside the codes and texts of the compatible system, which its
 * clients compare.
 */
export const TRIGGER_HINTS = {
  workflow_not_found: (name: string, near?: string) =>
    `This environment has no workflow with the trigger identifier '${name.slice(0, MAX_NAME_LENGTH)}'.${
      near === undefined ? '' : ` Did you mean '${near}'?`
    } List the workflows with GET /v1/workflows, or create one with POST /v1/workflows.`,
  payload_incomplete: () =>
    'Send the missing keys in payload, dates in ISO 8601. To make a variable optional, change it with PUT /v1/workflows/{workflowId}.',
  trigger_incomplete: () =>
    'The workflow uses the tenant or the actor in its texts. Send what is missing beside payload.',
  trigger_not_active: () => 'The workflow is not active. Switch it on with PUT /v1/workflows/{workflowId}/status.',
  no_workflow_steps_defined: () => 'The workflow has no steps. Give it some with PUT /v1/workflows/{workflowId}.',
  no_workflow_active_steps_defined: () =>
    'No step of the workflow is active. Switch one on with PUT /v1/workflows/{workflowId}.',
  no_tenant_found: (identifier: string) => `There is no tenant '${identifier}'. Create it with POST /v1/tenants.`,
  error: () => 'The event is not valid. Correct it and send it again.',
} as const;

/** For a workflow that is switched off for one tenant. */
export function offByOverride(id: string, tenant: string | undefined): string {
  return `The workflow override '${id}' switches the workflow off for the tenant '${tenant}'. Change it with PUT /v1/workflow-overrides/{overrideId}.`;
}

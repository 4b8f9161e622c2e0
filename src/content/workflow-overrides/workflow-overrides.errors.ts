import { defineError } from '#libs/http-kit';

export const WorkflowOverrideAlreadyExists = defineError(
  409,
  'workflow_override_already_exists',
  (workflowId: string, tenantId: string) =>
    `The workflow '${workflowId}' already has an override for the tenant '${tenantId}'. Change it with PUT /v1/workflow-overrides/workflows/${workflowId}/tenants/${tenantId}.`,
  ['order-shipped', 'acme'],
);

export const WorkflowOverrideNotFound = defineError(
  404,
  'workflow_override_not_found',
  (id: string) =>
    `This environment has no workflow override with the id '${id}'. List them with GET /v1/workflow-overrides or create it with POST /v1/workflow-overrides.`,
  ['{overrideId}'],
);

export const NoOverrideOfPair = defineError(
  404,
  'workflow_override_not_found',
  (workflowId: string, tenantId: string) =>
    `This environment has no workflow override for the workflow '${workflowId}' and the tenant '${tenantId}'. List them with GET /v1/workflow-overrides or create it with POST /v1/workflow-overrides.`,
  ['order-shipped', 'acme'],
);

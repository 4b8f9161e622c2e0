import { AppException } from '#libs/http-kit';

export class WorkflowOverrideAlreadyExists extends AppException {
  constructor(workflowId: string, tenantId: string) {
    super(
      409,
      'workflow_override_already_exists',
      `The workflow '${workflowId}' already has an override for the tenant '${tenantId}'. Change it with PUT /v1/workflow-overrides/workflows/${workflowId}/tenants/${tenantId}.`,
    );
  }
}

export class WorkflowOverrideNotFound extends AppException {
  constructor(which: string) {
    super(
      404,
      'workflow_override_not_found',
      `This environment has no workflow override ${which}. List them with GET /v1/workflow-overrides or create it with POST /v1/workflow-overrides.`,
    );
  }
}

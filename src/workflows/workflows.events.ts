import type { TenantContext } from '#libs/common';

abstract class WorkflowEvent {
  constructor(
    readonly tenant: TenantContext,
    /** Record id. */
    readonly workflowId: string,
  ) {}
}

export class WorkflowCreated extends WorkflowEvent {}
export class WorkflowUpdated extends WorkflowEvent {}
/** A workflow was deleted. */
export class WorkflowDeleted extends WorkflowEvent {}

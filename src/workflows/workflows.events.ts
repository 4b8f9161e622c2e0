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
/** A workflow was deleted; what refers to it has lost its meaning. */
export class WorkflowDeleted extends WorkflowEvent {}

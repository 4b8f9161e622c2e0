import type { TenantContext } from '#libs/common';

abstract class WorkflowEvent {
  constructor(
    readonly tenant: TenantContext,
    readonly workflowId: string,
  ) {}
}

export class WorkflowCreated extends WorkflowEvent {}
export class WorkflowUpdated extends WorkflowEvent {}
export class WorkflowDeleted extends WorkflowEvent {}

export { PreferenceSettingsDto } from './dto/preference-settings.dto.js';
export { WorkflowResponse, WorkflowTriggerResponse } from './dto/workflow.response.js';
export type { ResolvedStep, ResolvedTemplate, ResolvedVariant, ResolvedWorkflow } from './resolved-workflow.js';
export type { ReplyCallback, StepMetadata } from './steps/step.types.js';
export type { ChannelSwitches } from './workflow.schema.js';
export { WorkflowNotFound } from './workflows.errors.js';
export { WorkflowCreated, WorkflowDeleted, WorkflowUpdated } from './workflows.events.js';
export { WorkflowsModule } from './workflows.module.js';
export { WorkflowsService } from './workflows.service.js';

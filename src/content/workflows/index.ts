export { CreateWorkflowDto, ListWorkflowsDto, PreferenceSettingsDto, UpdateWorkflowDto } from './workflow.dto.js';
export {
  ChannelSwitchesResponse,
  showWorkflowTrigger,
  WorkflowResponse,
  WorkflowSummaryResponse,
  WorkflowTriggerResponse,
} from './workflow.response.js';
export { draftStepFields, DraftSteps, faultsOfDraftStep } from './draft-steps.js';
export { stepsWithIds } from './foreign-steps.js';
export { IdentifierSuggestions } from './identifier-suggestions.js';
export type { WorkflowSummary } from './workflow-cache.js';
export type { ResolvedStep, ResolvedTemplate, ResolvedVariant, ResolvedWorkflow } from './resolved-workflow.js';
export { MAX_STEPS, type ReplyCallback, type SentStep, step as sentStep } from './steps/step.schema.js';
export { SEVERITIES, type Severity } from './options.js';
export type { ChannelSwitches } from './workflow.schema.js';
export { WorkflowDefinitionDto } from './workflow-definition.dto.js';
export { type Defining, WorkflowDefinitionsService } from './workflow-definitions.service.js';
export { neededBy } from './portable-steps.js';
export { workflowDifferences } from './versions/differences.js';
export { showDifference, WorkflowDifferenceResponse } from './versions/workflow-version.response.js';
export {
  StepsNotRunnable,
  WorkflowChangedMeanwhile,
  WorkflowIdentifierTaken,
  WorkflowInUse,
  WorkflowNotFound,
  WorkflowProtected,
  WorkflowTooLarge,
  WorkflowVersionNotFound,
} from './workflows.errors.js';
export { WORKFLOW_REFERENCE } from './workflow-writes.js';
export { WorkflowDeleted } from './workflows.events.js';
export { WorkflowsModule } from './workflows.module.js';
export { WorkflowsService } from './workflows.service.js';
export { WorkflowVersionsService } from './versions/workflow-versions.service.js';

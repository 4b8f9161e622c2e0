export { WorkflowOverridesModule } from './workflow-overrides.module.js';
export { type TriggerOverride, WorkflowOverridesService } from './workflow-overrides.service.js';

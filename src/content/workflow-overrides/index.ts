export { OverrideDefinitionsService } from './override-definitions.service.js';
export { WorkflowOverrideDefinitionDto } from './workflow-override.dto.js';
export { WorkflowOverridesModule } from './workflow-overrides.module.js';
export { type TriggerOverride, WorkflowOverridesService } from './workflow-overrides.service.js';

export { MAX_DEPTH } from './trigger-workflow.declaration.js';
export { TriggerWorkflowModule } from './trigger-workflow.module.js';

export { ControlFault, stepOf } from './control-values.js';
export { conditionsOf } from './json-logic.js';
export { WorkflowsV2Module } from './workflows-v2.module.js';
export { WorkflowsV2Service } from './workflows-v2.service.js';
export { SyncWorkflowV2Dto } from './workflow-v2.dto.js';
export { WorkflowV2Response } from './workflow-v2.response.js';

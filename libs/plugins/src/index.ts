export { ExtensionPoint } from './extension-point.js';
export { PluginError } from './plugin-error.js';
export {
  type ConditionOperatorCheck,
  HELPER_MODULES,
  HELPERS,
  OPERATORS,
  STEP_TYPES,
  type StepTypeDeclaration,
  type TemplateHelper,
} from './points.js';
export { StepError, type StepErrorOptions } from './step-error.js';
export type { SharedPackages } from './shared-packages.js';
export { addHelpers, loadHelpers, pluginsForThreads, sharePackages, type ThreadPlugins } from './thread.js';

export { ExtensionPoint } from './extension-point.js';
export { PluginError } from './plugin-error.js';
export {
  type ConditionOperatorCheck,
  HELPER_MODULES,
  HELPERS,
  OPERATORS,
  STEP_TYPES,
  type StepTypeDeclaration,
  synchronous,
  type TemplateHelper,
} from './points.js';
export { StepError, type StepErrorOptions } from './step-error.js';
export { SHARED_MODULES, type SharedPackages } from './shared-packages.js';
export {
  addHelpers,
  hooksOfRequire,
  loadHelpers,
  pluginsForThreads,
  sharePackages,
  type ThreadPlugins,
} from './thread.js';

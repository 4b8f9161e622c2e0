export { ExtensionPoint } from './extension-point.js';
export { PluginError } from './plugin-error.js';
export {
  type ConditionOperatorCheck,
  HELPER_MODULES,
  HELPERS,
  OPERATORS,
  synchronous,
  type TemplateHelper,
} from './points.js';
export {
  type CompiledPart,
  type DeclaredStep,
  type EndInWords,
  inputSchemaOf,
  type NeededValues,
  ofAllTypes,
  STEP_GROUPS,
  STEP_TYPES,
  type StepGroup,
  type StepTypeDeclaration,
  STORED_TYPES,
  type SummaryLine,
  type TrailText,
} from './step-types.js';
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

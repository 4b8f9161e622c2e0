export { extractVariables } from './extract-variables.js';
export {
  extractStepVariables,
  extractTriggerVariables,
  extractTriggerVariablesInTurns,
  isSystemVariable,
  SYSTEM_VARIABLES,
  type ReservedVariable,
  type TriggerVariables,
  type VariableSource,
} from './extract-trigger-variables.js';
export { MAX_SOURCE_BYTES, parseTemplate, type ParseResult } from './syntax.js';
export { TemplateError } from './template-error.js';
export {
  ACTOR_TYPES,
  BLOCK_TYPES,
  BUTTON_TYPES,
  CONTENT_TYPES,
  CTA_TYPES,
  SYSTEM_ICONS,
  TEMPLATE_TYPES,
  TEXT_ALIGNS,
  VARIABLE_TYPES,
  type ContentType,
  type EmailBlock,
  type FoundVariable,
  type TemplateType,
  type TemplateVariable,
  type VariableType,
} from './template.types.js';
export { validateStepTemplate, validateTemplateVariables } from './validate-step-template.js';
export type { TextSource } from './render-task.js';
export { Rendering, RenderingBusy, type RenderingOptions } from './rendering.js';
export { createRenderer, type Renderer, type RendererOptions, type RenderOptions } from './renderer.js';
export type { RenderedBlock } from './email-blocks.js';
export { DEFAULT_COLOR, type Branding } from './email-layout.js';
export { renderEmail, type EmailInput, type EmailLayout, type RenderedEmail } from './render-email.js';
export { missingValues } from './missing-values.js';
export { safeImage, safeLink } from './safe-link.js';
export { applyVariables, missingVariables, withVariableDefaults } from './variable-defaults.js';

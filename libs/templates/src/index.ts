export {
  extractTriggerVariablesInTurns,
  type ReservedVariable,
  type TriggerVariables,
  type VariableSource,
} from './extract-trigger-variables.js';
export { parseTemplate, type ParseResult } from './syntax.js';
export { isSmall, sizeFault } from './template-size.js';
export { TemplateError } from './template-error.js';
export {
  CONTENT_TYPES,
  type ContentType,
  type FoundVariable,
  TEMPLATE_TYPES,
  type TemplateType,
  VARIABLE_TYPES,
} from './template.types.js';
export {
  type EmailBlock,
  emailBlock,
  portableTemplate,
  stepActor,
  stepCta,
  type StepTemplate,
  stepTemplate,
  type TemplateVariable,
  templateVariable,
  templateVariables,
  typeFault,
} from './step-template.schema.js';
export { type HttpMethod, type HttpRequestTemplate, secretNamesIn } from './http-request.schema.js';
export { replaceTexts, visitTexts } from './visit-texts.js';
export {
  finished,
  RENDERED_FIELDS,
  type RenderedField,
  renderedFields,
  type TextContext,
  type TextSource,
  withTexts,
} from './rendered-fields.js';
export { Rendering, RenderingBusy, type RenderingOptions } from './rendering.js';
export { type Renderer, type RendererOptions, type RenderOptions } from './renderer.js';
export type { RenderedBlock } from './email-blocks.js';
export { browserHtml } from './browser-html.js';
export type { FoundLinks } from './find-links.js';
export { type Branding } from './email-layout.js';
export { type EmailInput, type EmailLayout, type RenderedEmail } from './render-email.js';
export { missingValues } from './missing-values.js';
export { safeImage, safeLink } from './safe-link.js';
export { missingVariables, withVariableDefaults } from './variable-defaults.js';
export { canonicalLocale, directionOf, type Direction, localeChain } from './locales.js';
export { bracesIn, messageFault } from './icu-message.js';
export { callsT, type Dictionary, MAX_KEY, NO_LOCALE, NO_WORDS, type Words, type Wording } from './translate.js';

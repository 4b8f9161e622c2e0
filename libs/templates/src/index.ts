export {
  extractTriggerVariablesInTurns,
  type ReservedVariable,
  type TriggerVariables,
  type VariableSource,
} from './extract-trigger-variables.js';
export {
  hasExpression,
  isSmall,
  judgedIn,
  type JudgedLanguage,
  judgeTemplate,
  missingValues,
  parseTemplate,
  type ParseResult,
  payloadRoots,
  sizeFault,
} from './languages.js';
export { missingInBlocks } from './block-scopes.js';
export { TemplateError } from './template-error.js';
export {
  CONTENT_TYPES,
  type ContentType,
  type FoundVariable,
  PICTURE_PLACES,
  type PicturePlace,
  SYSTEM_ICONS,
  type SystemIcon,
  TEMPLATE_LANGUAGES,
  type TemplateLanguage,
  VARIABLE_TYPES,
} from './template.types.js';
export {
  checkMail,
  checkText,
  commonMembers,
  contentMembers,
  contentWord,
  type EmailBlock,
  emailBlock,
  identifierReference,
  isWithoutContent,
  lineWord,
  picturePlace,
  MAX_KEY_LENGTH,
  recordReferences,
  stepActor,
  stepCta,
  template,
  type TemplateVariable,
  templateVariable,
  templateVariables,
  withInner,
} from './template-words.js';
export { replaceTexts, visitTexts } from './visit-texts.js';
export {
  finished,
  linkFault,
  RENDERED_FIELDS,
  type RenderedField,
  renderedFields,
  type TextContext,
  type TextSource,
  withTexts,
} from './rendered-fields.js';
export { escapeHtml } from './html-safety.js';
export { withoutMarks } from './marked-values.js';
export { Rendering, RenderingBusy, type RenderingOptions } from './rendering.js';
export { type Renderer, type RendererOptions, type RenderOptions } from './renderer.js';
export type { RenderedBlock } from './email-blocks.js';
export { lintMail, MAIL_WARNINGS, type MailWarning } from './mail-lint.js';
export { browserHtml } from './browser-html.js';
export type { FoundLinks } from './find-links.js';
export { type Branding } from './email-layout.js';
export { type EmailInput, type EmailLayout, type RenderedEmail } from './render-email.js';
export { safeImage, safeLink } from './safe-link.js';
export { missingVariables, withVariableDefaults } from './variable-defaults.js';
export { canonicalLocale, directionOf, type Direction, localeChain } from './locales.js';
export { bracesIn, messageFault } from './icu-message.js';
export { callsT, type Dictionary, MAX_KEY, NO_LOCALE, NO_WORDS, type Words, type Wording } from './translate.js';

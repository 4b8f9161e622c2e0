import { blocksToHtml, renderBlocks, type RenderedBlock } from './email-blocks.js';
import { columnRules } from './email-columns.js';
import {
  brandColor,
  type Branding,
  defaultLayout,
  insertPreheader,
  insertStyles,
  languageOf,
  withLanguage,
} from './email-layout.js';
import { assertParsable, escapeHtml, loadSanitizer, sanitizeContent } from './html-safety.js';
import { htmlToText } from './html-to-text.js';
import { inlineCss } from './inline-css.js';
import { DEFAULT_LIMITS } from './render-budget.js';
import { mjmlToHtml } from './mjml.js';
import { finished, RENDERED_FIELDS, renderText, type TextContext } from './rendered-fields.js';
import type { Renderer, RenderOptions } from './renderer.js';
import type { EmailBlock, TemplateVariable } from './template-words.js';
import type { ContentType, TemplateLanguage } from './template.types.js';
import type { Wording } from './translate.js';
import { applyVariables } from './variable-defaults.js';

export interface EmailLayout {
  /** With `{{{body}}}` in place of the content. */
  content: string;
  variables?: readonly TemplateVariable[];
}

export interface EmailInput {
  content: string | readonly EmailBlock[];
  /** `editor` content is sanitized and framed; `customHtml` is used as it is; `mjml` is compiled, a whole document. */
  contentType: ContentType;
  subject?: string;
  preheader?: string;
  senderName?: string;
  layout?: EmailLayout;
  branding?: Branding;
  /** Payload keys at the root, and the engine's roots: subscriber, step, tenant, actor. */
  context: Readonly<Record<string, unknown>>;
  /** Default `true`. */
  inlineStyles?: boolean;
  /** For `t`; the mail is then in the language of the words. */
  wording?: Wording;
  /** Of the templates. Layouts, which several workflows share, are Handlebars. */
  language?: TemplateLanguage;
}

export interface RenderedEmail {
  html: string;
  text: string;
  subject: string;
  preheader: string;
  senderName: string;
  /** Without layout and preheader, as the message stores it. */
  content: string | RenderedBlock[];
}

/** Thrown unless inlining was requested. */
export class StyleSheetFound extends Error {}

const FRAME_LIMITS: RenderOptions = { maxOutput: 3 * DEFAULT_LIMITS.maxOutput };

/**
 * Also inlines style sheets and makes the text alternative. Layouts can read `body`, `subject`, `preheader` and
 * `branding` besides the context.
 * @throws {TemplateError}
 */
export async function renderEmail(
  input: EmailInput,
  renderer: Renderer,
  { refuseStyleSheets = false }: { refuseStyleSheets?: boolean } = {},
): Promise<RenderedEmail> {
  const sanitize = await loadSanitizer();
  const branding = { ...input.branding, color: brandColor(input.branding ?? {}) };
  const context = { ...input.context, branding };
  const { wording } = input;
  const fields = RENDERED_FIELDS.email;
  const line = (source: string | undefined, as: TextContext): string =>
    finished(renderText({ source: source ?? '', as }, context, renderer, { wording, language: input.language }), as) ??
    '';
  const isMjml = input.contentType === 'mjml';
  const language = languageOf(wording?.dictionary);
  const subject = line(input.subject, fields.subject);
  const senderName = line(input.senderName, fields.senderName);
  const preheader = line(input.preheader, fields.preheader);
  const headed = { ...context, subject, preheader };

  const written = typeof input.content === 'string' ? undefined : input.content;
  const blocks =
    written &&
    renderBlocks(written, headed, {
      renderer,
      sanitize,
      branding,
      isRtl: language?.dir === 'rtl',
      options: { wording, language: input.language },
    });
  const body = blocks ? blocksToHtml(blocks, branding) : renderContent(input, headed, renderer, sanitize);
  const framed = withLanguage(frame(input, { ...headed, body, blocks }, body, renderer), language);
  assertParsable(framed);
  if (refuseStyleSheets && /<style/i.test(framed)) throw new StyleSheetFound();
  // What MJML leaves in style sheets are rules that need one.
  const inlined = input.inlineStyles === false || isMjml ? framed : await inlineCss(framed);
  const columns = (written ?? []).flatMap((block) => (block.columns ? [block.columns.length] : []));
  const html = insertStyles(inlined, columnRules(columns.filter((count) => count > 0)));
  return {
    html: insertPreheader(html, escapeHtml(preheader)),
    text: htmlToText(sanitize, html),
    subject,
    preheader,
    senderName,
    content: blocks ?? body,
  };
}

function renderContent(
  { content, contentType, wording, language }: EmailInput,
  context: Readonly<Record<string, unknown>>,
  renderer: Renderer,
  sanitize: Parameters<typeof sanitizeContent>[0],
): string {
  const text = typeof content === 'string' ? content : '';
  const options = { wording, language };
  if (contentType === 'mjml') {
    return renderer.render(mjmlToHtml(text, language), context, { ...FRAME_LIMITS, ...options });
  }
  const html = renderText({ source: text, as: RENDERED_FIELDS.email.content }, context, renderer, options);
  return contentType === 'editor' ? sanitizeContent(sanitize, html) : html;
}

/** Without a layout, editor content gets the built-in frame and custom HTML stands alone. MJML takes no layout. */
function frame(
  input: EmailInput,
  context: Readonly<Record<string, unknown>> & { branding: Branding; subject: string },
  body: string,
  renderer: Renderer,
): string {
  const { layout, wording } = input;
  if (layout && input.contentType !== 'mjml') {
    const values = applyVariables(layout.variables ?? [], context);
    return renderer.render(layout.content, values, { ...FRAME_LIMITS, wording });
  }
  const isWhole = typeof input.content === 'string' && input.contentType !== 'editor';
  return isWhole ? body : defaultLayout(body, context.branding, context.subject);
}

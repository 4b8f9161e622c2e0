import type SanitizeHtml from 'sanitize-html';
import { brandColor, type Branding } from './email-layout.js';
import { escapeHtml, sanitizeContent } from './html-safety.js';
import { finished, RENDERED_FIELDS, renderText } from './rendered-fields.js';
import type { Renderer, RenderOptions } from './renderer.js';
import type { EmailBlock } from './step-template.schema.js';
import { TEXT_ALIGNS } from './template.types.js';

/** As sent: the message's `content` for editor mails. */
export interface RenderedBlock {
  type: EmailBlock['type'];
  content: string;
  url: string;
  styles: { textAlign: 'left' | 'center' | 'right' };
}

/** Editors write `left` for the side where lines begin. */
const MIRRORED = { left: 'right', right: 'left', center: 'center' } as const;

export function renderBlock(
  block: EmailBlock,
  context: Readonly<Record<string, unknown>>,
  renderer: Renderer,
  sanitize: typeof SanitizeHtml,
  { isRtl, ...options }: RenderOptions & { readonly isRtl: boolean },
): RenderedBlock {
  const { 'content.*.content': text, 'content.*.url': link } = RENDERED_FIELDS.email;
  const url = renderText({ source: block.url ?? '', as: link }, context, renderer, options);
  const written = TEXT_ALIGNS.find((align) => align === block.styles?.textAlign) ?? 'left';
  const textAlign = isRtl ? MIRRORED[written] : written;
  return {
    type: block.type,
    content: sanitizeContent(sanitize, renderText({ source: block.content, as: text }, context, renderer, options)),
    url: finished(url, link) ?? '',
    styles: { textAlign },
  };
}

/** A button without a usable address is shown, but leads nowhere. */
export function blocksToHtml(blocks: readonly RenderedBlock[], branding: Branding): string {
  const button = `display:inline-block;padding:10px 20px;border-radius:6px;background:${brandColor(branding)};color:#ffffff;text-decoration:none;font-weight:600`;
  return blocks.map((block) => blockToHtml(block, button)).join('\n');
}

function blockToHtml({ type, content, url, styles }: RenderedBlock, buttonStyle: string): string {
  const style = `margin:0 0 16px;text-align:${styles.textAlign}`;
  if (type === 'text') return `<div style="${style}">${content}</div>`;
  const inner =
    url === ''
      ? `<span style="${buttonStyle}">${content}</span>`
      : `<a href="${escapeHtml(url)}" target="_blank" style="${buttonStyle}">${content}</a>`;
  return `<div style="${style}">${inner}</div>`;
}

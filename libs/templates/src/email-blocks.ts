import type SanitizeHtml from 'sanitize-html';
import { brandColor, type Branding } from './email-layout.js';
import { escapeHtml, sanitizeContent } from './html-safety.js';
import { finished, RENDERED_FIELDS, renderText } from './rendered-fields.js';
import type { Renderer, RenderOptions } from './renderer.js';
import type { EmailBlock } from './template-words.js';
import { TEXT_ALIGNS } from './template.types.js';

/** As sent: the message's `content` for editor mails. */
export interface RenderedBlock {
  type: EmailBlock['type'];
  content: string;
  url: string;
  styles: { textAlign: 'left' | 'center' | 'right'; backgroundColor?: string; color?: string };
}

/** Leaves no element. */
const PLAIN = { allowedTags: [], allowedAttributes: {} };

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
  const { backgroundColor, color } = block.styles ?? {};
  const rendered = renderText({ source: block.content, as: text }, context, renderer, options);
  return {
    type: block.type,
    // Alternative text stands in an attribute.
    content: block.type === 'image' ? sanitize(rendered, PLAIN) : sanitizeContent(sanitize, rendered),
    url: finished(url, link) ?? '',
    styles: { textAlign, ...(backgroundColor && { backgroundColor }), ...(color && { color }) },
  };
}

/** A button without a usable address is shown, but leads nowhere. */
export function blocksToHtml(blocks: readonly RenderedBlock[], branding: Branding): string {
  return blocks.map((block) => BLOCKS[block.type](block, `text-align:${block.styles.textAlign}`, branding)).join('\n');
}

const BLOCKS: Readonly<
  Record<RenderedBlock['type'], (block: RenderedBlock, align: string, branding: Branding) => string>
> = {
  text: ({ content }, align) => `<div style="margin:0 0 16px;${align}">${content}</div>`,
  heading: ({ content }, align) =>
    `<h2 style="margin:0 0 16px;${align};font-size:22px;line-height:1.3;font-weight:600">${content}</h2>`,
  image: ({ content, url }, align) => `<div style="margin:0 0 16px;${align}">${imageOf(content, url)}</div>`,
  divider: () => '<hr style="margin:24px 0;border:0;border-top:1px solid #d9d9d9">',
  footer: ({ content }, align) =>
    `<div style="margin:24px 0 0;${align};font-size:12px;line-height:1.5;color:#6b6b6b">${content}</div>`,
  button: (block, align, branding) => `<div style="margin:0 0 16px;${align}">${buttonOf(block, branding)}</div>`,
};

function buttonOf({ content, url, styles }: RenderedBlock, branding: Branding): string {
  const { backgroundColor = brandColor(branding), color = '#ffffff' } = styles;
  const style = `display:inline-block;padding:10px 20px;border-radius:6px;background:${backgroundColor};color:${color};text-decoration:none;font-weight:600`;
  return url === ''
    ? `<span style="${style}">${content}</span>`
    : `<a href="${escapeHtml(url)}" target="_blank" style="${style}">${content}</a>`;
}

/** An image without a usable address is its alternative text. @param alt escaped */
function imageOf(alt: string, url: string): string {
  if (url === '') return alt;
  const quoted = alt.replaceAll('"', '&quot;');
  return `<img src="${escapeHtml(url)}" alt="${quoted}" style="max-width:100%;height:auto;border:0">`;
}

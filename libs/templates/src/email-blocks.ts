import type SanitizeHtml from 'sanitize-html';
import { blockValues } from './block-scopes.js';
import { columnsHtml } from './email-columns.js';
import { brandColor, type Branding } from './email-layout.js';
import { escapeHtml, sanitizeContent } from './html-safety.js';
import { finished, RENDERED_FIELDS, renderText, type TextContext } from './rendered-fields.js';
import type { Renderer, RenderOptions } from './renderer.js';
import { TemplateError } from './template-error.js';
import type { EmailBlock, InnerBlock } from './template-words.js';
import { TEXT_ALIGNS } from './template.types.js';

/** As sent: the message's `content` for editor mails. What stands in columns, and the row of a product, is `content`. */
export interface RenderedBlock {
  type: EmailBlock['type'];
  content: string;
  url: string;
  styles: { textAlign: 'left' | 'center' | 'right'; backgroundColor?: string; color?: string };
}

/** With what the blocks of a mail are rendered. */
export interface BlockTools {
  readonly renderer: Renderer;
  readonly sanitize: typeof SanitizeHtml;
  readonly branding: Branding;
  readonly isRtl: boolean;
  readonly options: RenderOptions;
}

type Values = Readonly<Record<string, unknown>>;

/** Of a mail, those of lists and in columns included. */
const MAX_SHOWN = 1_000;

/** Leaves no element. */
const PLAIN = { allowedTags: [], allowedAttributes: {} };

/** Editors write `left` for the side where lines begin. */
const MIRRORED = { left: 'right', right: 'left', center: 'center' } as const;

const { 'content.*.content': TEXT, 'content.*.url': LINK } = RENDERED_FIELDS.email;

/** @throws {TemplateError} */
export function renderBlocks(blocks: readonly EmailBlock[], values: Values, tools: BlockTools): RenderedBlock[] {
  return new BlockWriter(tools).blocks(blocks, values);
}

class BlockWriter {
  private shown = 0;

  constructor(private readonly tools: BlockTools) {}

  blocks(blocks: readonly (EmailBlock | InnerBlock)[], values: Values): RenderedBlock[] {
    return blocks.flatMap((block) => {
      const all = blockValues(block, values);
      this.shown += all.length;
      if (this.shown > MAX_SHOWN) throw new TemplateError(`the mail has more than ${MAX_SHOWN} blocks`);
      return all.map((one) => this.block(block, one));
    });
  }

  private block(block: EmailBlock | InnerBlock, values: Values): RenderedBlock {
    const { isRtl } = this.tools;
    const { backgroundColor, color } = block.styles ?? {};
    const written = TEXT_ALIGNS.find((align) => align === block.styles?.textAlign) ?? 'left';
    const textAlign = isRtl ? MIRRORED[written] : written;
    const url = this.link(block.url, values);
    return {
      type: block.type,
      content: this.content(block, values, url),
      url,
      styles: { textAlign, ...(backgroundColor && { backgroundColor }), ...(color && { color }) },
    };
  }

  private content(block: EmailBlock | InnerBlock, values: Values, url: string): string {
    const { sanitize, branding, isRtl } = this.tools;
    if (block.type === 'columns') {
      const columns = ('columns' in block ? (block.columns ?? []) : []).map((column) =>
        blocksToHtml(this.blocks(column.blocks, values), branding),
      );
      return columnsHtml(columns, isRtl);
    }
    if (block.type === 'social') {
      const links = (block.links ?? []).map(({ text, url: to }) =>
        linkOf(this.text(text, values), this.link(to, values)),
      );
      return links.join(' &middot; ');
    }
    const content = this.rendered(block.content, TEXT, values);
    // Alternative text stands in an attribute.
    if (block.type === 'image') return sanitize(content, PLAIN);
    const safe = sanitizeContent(sanitize, content);
    return block.type === 'product' ? productRow(safe, url, this.text(block.price ?? '', values), isRtl) : safe;
  }

  private text(source: string, values: Values): string {
    return sanitizeContent(this.tools.sanitize, this.rendered(source, TEXT, values));
  }

  private link(source: string | null | undefined, values: Values): string {
    return finished(this.rendered(source ?? '', LINK, values), LINK) ?? '';
  }

  private rendered(source: string, as: TextContext, values: Values): string {
    return renderText({ source, as }, values, this.tools.renderer, this.tools.options);
  }
}

/** A button without a usable address is shown, but leads nowhere. */
export function blocksToHtml(blocks: readonly RenderedBlock[], branding: Branding): string {
  return blocks.map((block) => BLOCKS[block.type](block, `text-align:${block.styles.textAlign}`, branding)).join('\n');
}

type Shape = (block: RenderedBlock, align: string, branding: Branding) => string;

const below: Shape = ({ content }, align) => `<div style="margin:0 0 16px;${align}">${content}</div>`;

const BLOCKS: Readonly<Record<RenderedBlock['type'], Shape>> = {
  text: below,
  heading: ({ content }, align) =>
    `<h2 style="margin:0 0 16px;${align};font-size:22px;line-height:1.3;font-weight:600">${content}</h2>`,
  image: ({ content, url }, align) => `<div style="margin:0 0 16px;${align}">${imageOf(content, url)}</div>`,
  divider: () => '<hr style="margin:24px 0;border:0;border-top:1px solid #d9d9d9">',
  footer: ({ content }, align) =>
    `<div style="margin:24px 0 0;${align};font-size:12px;line-height:1.5;color:#6b6b6b">${content}</div>`,
  button: (block, align, branding) => `<div style="margin:0 0 16px;${align}">${buttonOf(block, branding)}</div>`,
  product: below,
  social: ({ content }, align) => `<div style="margin:0 0 16px;${align};font-size:14px">${content}</div>`,
  columns: ({ content }) => content,
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

/** @param text HTML */
function linkOf(text: string, url: string): string {
  return url === '' ? text : `<a href="${escapeHtml(url)}" target="_blank" style="color:inherit">${text}</a>`;
}

/** The picture is decoration: the name stands beside it. @param name HTML @param price HTML */
function productRow(name: string, url: string, price: string, isRtl: boolean): string {
  const [start, end] = isRtl ? ['right', 'left'] : ['left', 'right'];
  const picture = `<img src="${escapeHtml(url)}" alt="" width="64" style="display:block;width:64px;height:auto;border:0;border-radius:6px">`;
  return [
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse"><tr>',
    url === '' ? '' : `<td width="64" style="width:64px;padding-${end}:16px;vertical-align:top">${picture}</td>`,
    `<td style="vertical-align:top;text-align:${start}">${name}</td>`,
    price === ''
      ? ''
      : `<td style="vertical-align:top;text-align:${end};padding-${start}:16px;white-space:nowrap;font-weight:600">${price}</td>`,
    '</tr></table>',
  ].join('');
}

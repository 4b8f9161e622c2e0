import { pluginsForThreads } from '#libs/plugins';
import { PoolBusy, TaskFailed, TaskTimeout, WorkerLost, WorkerPool } from '#libs/worker-pool';
import { findLinks, type FoundLinks } from './find-links.js';
import { packContext } from './packed-context.js';
import { type EmailInput, type RenderedEmail, renderEmail, StyleSheetFound } from './render-email.js';
import { isCheap, outputOf, type Weight, weightOf } from './render-cost.js';
import type { RenderResult, RenderTask } from './render-task.js';
import { renderedFields, renderText, type TextSource } from './rendered-fields.js';
import { renderWorkerFile } from './render-worker-file.js';
import { createRenderer, type RenderOptions } from './renderer.js';
import { TemplateError } from './template-error.js';
import type { TemplateLanguage } from './template.types.js';
import type { Wording } from './translate.js';

type Data = Readonly<Record<string, unknown>>;

export interface RenderingOptions {
  readonly workers: number;
  /** For one message, in milliseconds. */
  readonly deadlineMs: number;
}

/** Up to this length, HTML is sanitized and parsed within a few milliseconds. */
const MAX_INLINE_HTML = 20_000;

/**
 * Fast work runs at once, everything else in threads under a deadline; groups take turns. A faulty template or missed
 * deadline is a TemplateError; after {@link RenderingBusy} nothing was started, and the caller can retry.
 */
export class Rendering {
  private readonly renderer = createRenderer();
  private readonly pool: WorkerPool<RenderTask, RenderResult>;

  constructor({ workers, deadlineMs }: RenderingOptions) {
    this.pool = new WorkerPool({ file: renderWorkerFile, size: workers, deadlineMs, data: pluginsForThreads });
  }

  /** @throws {TemplateError} @throws {RenderingBusy} */
  async texts(
    sources: readonly TextSource[],
    context: Data,
    group: string,
    options: Pick<RenderOptions, 'wording' | 'language'> = {},
  ): Promise<string[]> {
    const { wording, language } = options;
    if (areCheap(sources, weightOf(context), options)) {
      return sources.map((source) => renderText(source, context, this.renderer, options));
    }
    const packed = { context: packContext(context), ...packWording(wording) };
    const task: RenderTask = { kind: 'texts', sources, ...packed, ...(language && { language }) };
    const { texts, missing } = await this.run(task, group);
    noteMissing(wording, missing);
    return texts ?? [];
  }

  /** Plain text. @throws {TemplateError} @throws {RenderingBusy} */
  async text(source: string, context: Data, group: string, language?: TemplateLanguage): Promise<string> {
    const [text] = await this.texts([{ source, as: 'text' }], context, group, { language });
    return text ?? '';
  }

  /** @throws {TemplateError} @throws {RenderingBusy} */
  async email(input: EmailInput, group: string): Promise<RenderedEmail> {
    if (isCheapEmail(input)) {
      try {
        return await renderEmail(input, this.renderer, { refuseStyleSheets: true });
      } catch (error) {
        if (!(error instanceof StyleSheetFound)) throw error;
      }
    }
    const { context, wording, ...rest } = input;
    const task: RenderTask = { kind: 'email', input: rest, context: packContext(context), ...packWording(wording) };
    const { email, missing } = await this.run(task, group);
    noteMissing(wording, missing);
    if (email === undefined) throw new TemplateError('the mail cannot be rendered');
    return email;
  }

  /** @throws {TemplateError} if it takes too long @throws {RenderingBusy} */
  async links(html: string, group: string): Promise<FoundLinks> {
    if (html.length <= MAX_INLINE_HTML) return findLinks(html);
    const { links } = await this.run({ kind: 'links', html }, group);
    return links ?? { links: [], pictures: [], contentEnd: html.length };
  }

  /**
   * Compares a value with a JSON Schema. @returns the first fault
   * @throws {TemplateError} if the schema cannot be read, or takes too long @throws {RenderingBusy}
   */
  async schemaFault(schema: Data, value: unknown, group: string): Promise<string | undefined> {
    const task = { kind: 'schema', schema: JSON.stringify(schema), value: JSON.stringify(value) ?? 'null' } as const;
    return (await this.run(task, group)).fault;
  }

  /** @throws {TemplateError} for MJML that cannot be compiled @throws {RenderingBusy} */
  async assertMjml(source: string, group: string, language: TemplateLanguage = 'handlebars'): Promise<void> {
    await this.run({ kind: 'mjml', source, language }, group);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async run(task: RenderTask, group: string): Promise<RenderResult> {
    try {
      return await this.pool.run(task, group);
    } catch (error) {
      throw translate(error);
    }
  }
}

/** The queue is full or the process is shutting down. Nothing was started. */
export class RenderingBusy extends Error {
  constructor() {
    super('Too much is waiting to be rendered.');
    this.name = 'RenderingBusy';
  }
}

function translate(error: unknown): unknown {
  if (error instanceof TaskTimeout) {
    return new TemplateError(`rendering took longer than the ${error.deadlineMs} ms that it may take`);
  }
  if (error instanceof WorkerLost) return new TemplateError('rendering needs too much memory');
  if (error instanceof PoolBusy) return new RenderingBusy();
  if (error instanceof TaskFailed) {
    return new TemplateError(
      error.errorName === 'TemplateError' ? error.message : 'it cannot be rendered with this data',
    );
  }
  return error;
}

function packWording(wording: Wording | undefined): Pick<RenderTask & { kind: 'texts' }, 'wording'> {
  if (wording === undefined) return {};
  const { dictionary, timeZone } = wording;
  return { wording: { dictionary: packContext({ dictionary }), timeZone } };
}

function noteMissing(wording: Wording | undefined, keys: readonly string[] = []): void {
  for (const key of keys) wording?.missing.add(key);
}

function areCheap(
  sources: readonly TextSource[],
  weight: Weight,
  { wording, language }: Pick<RenderOptions, 'wording' | 'language'>,
): boolean {
  // Many cheap texts together are not cheap, and neither are many with translations, which may have to be read.
  if (sources.length > 25) return false;
  if (wording === undefined) return sources.every(({ source }) => isCheap(source, weight, { language }));
  const { dictionary } = wording;
  return isCheap(sources.map(({ source }) => source).join(''), weight, { dictionary, language });
}

function isCheapEmail(input: EmailInput): boolean {
  const { content, contentType, subject, preheader, senderName, layout, context, wording, language } = input;
  // A short source can become a long mail.
  if (contentType === 'mjml') return false;
  // Neither is it known how often a list repeats them.
  if (typeof content !== 'string' && content.some(({ columns, each }) => columns || each)) return false;
  const blocks = renderedFields('email', { content }).map(({ source }) => source);
  if (blocks.length > 25) return false;
  const weight = weightOf(context);
  const dictionary = wording?.dictionary;
  let output = 0;
  const sources = [...blocks, subject ?? '', preheader ?? '', senderName ?? ''];
  // Translations that may have to be read count together.
  const framing = layout === undefined ? [] : [layout.content];
  if (wording && layout && language === 'liquid') return false;
  if (wording && !isCheap([...sources, ...framing].join(''), weight, { dictionary, language })) return false;
  for (const source of sources) {
    const own = outputOf(source, weight, { dictionary, language });
    if (own === undefined) return false;
    output += own;
  }
  if (layout !== undefined) {
    const framedWeight = { parts: weight.parts, characters: weight.characters + output };
    const framed = outputOf(layout.content, framedWeight, { dictionary });
    if (framed === undefined) return false;
    output = framed;
  }
  return output <= MAX_INLINE_HTML;
}

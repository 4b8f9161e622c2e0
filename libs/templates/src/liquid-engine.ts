import { Context, type Emitter, Liquid, type Template, toValueSync } from 'liquidjs';
import { escapeHtml } from './html-safety.js';
import type { HelperSettings } from './helpers.js';
import type { Compiled } from './language.js';
import { type Escaping, marked } from './marked-values.js';
import { describeLiquid } from './liquid-errors.js';
import { liquidFilters, liquidText, type Rendered, TranslationDrop } from './liquid-filters.js';
import { assertLength, liquidSize } from './liquid-source.js';
import { assertAllowedLiquid } from './liquid-walk.js';
import { RenderBudget } from './render-budget.js';
import { MAX_SOURCE_BYTES } from './syntax.js';

/** Items of lists and ranges, and characters of texts, that one rendering may make. */
const MAX_MADE = 10_000_000;
/** They would read other templates. */
const TAGS_OF_FILES = ['include', 'render', 'layout', 'block'];

type Escape = (value: unknown) => string;

/** Without a file system; values have only their own properties. */
function createLiquid(
  settings: HelperSettings,
  rendered: Rendered,
  escape: Escape | undefined,
  escaping: Escaping,
): Liquid {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    locale: 'en-US',
    timezoneOffset: settings.timeZone,
    parseLimit: 2 * MAX_SOURCE_BYTES,
    memoryLimit: MAX_MADE,
    ...(escape && { outputEscape: counted(escape) }),
  });
  for (const name of TAGS_OF_FILES) delete liquid.tags[name];
  for (const [name, filter] of Object.entries(liquidFilters(settings, rendered, escaping))) {
    liquid.registerFilter(name, filter);
  }
  return liquid;
}

/** Texts that `capture` collects are made as well. */
function counted(escape: Escape): Escape {
  return function (this: { readonly context: Context }, value: unknown): string {
    const text = escape(value);
    this.context.memoryLimit.use(text.length);
    return text;
  };
}

/** For reading: without escaping, templates have the filters of their authors only. */
const reader = createLiquid({ timeZone: 'UTC' }, {}, undefined, 'none');

/** @throws {TemplateError} for one that Herald would not store */
export function readLiquid(source: string): Template[] {
  assertLength(source);
  liquidSize(source);
  return parseLiquid(reader, source);
}

function parseLiquid(liquid: Liquid, source: string): Template[] {
  assertLength(source);
  try {
    const templates = liquid.parse(source);
    assertAllowedLiquid(templates);
    return templates;
  } catch (error) {
    throw describeLiquid(error, false);
  }
}

/** Without limits of time: what uses it looks at little. */
export function readingContext(data: object): Context {
  return new Context({ ...data }, reader.options, { sync: true, memoryLimit: 10_000 }, { liquid: reader });
}

export class LiquidEngine {
  private readonly rendered: Rendered = {};
  private readonly engines: Readonly<Record<Escaping, Liquid>>;

  constructor(settings: HelperSettings) {
    const made = (escape: Escape, escaping: Escaping): Liquid =>
      createLiquid(settings, this.rendered, escape, escaping);
    this.engines = {
      html: made((value) => escapeHtml(liquidText(value)), 'html'),
      none: made(liquidText, 'none'),
      // What a translator wrote is no value.
      marks: made(
        (value) => (value instanceof TranslationDrop ? liquidText(value) : marked(liquidText(value))),
        'marks',
      ),
    };
  }

  compile(source: string, escaping: Escaping): Compiled {
    const liquid = this.engines[escaping];
    const templates = parseLiquid(liquid, source);
    return (context, limits, wording) => {
      this.rendered.wording = wording;
      const budget = new RenderBudget(limits);
      // `increment` writes into it.
      const scope = { t: new TranslationDrop(this.rendered), ...context };
      const options = { sync: true, renderLimit: limits.timeoutMs, memoryLimit: MAX_MADE };
      try {
        const run = new Context(scope, liquid.options, options, { liquid });
        return toValueSync(liquid.renderer.renderTemplates(templates, run, new BoundedOutput(budget))) as string;
      } catch (error) {
        throw describeLiquid(error, true, limits.timeoutMs);
      }
    };
  }
}

class BoundedOutput implements Emitter {
  buffer = '';

  constructor(private readonly budget: RenderBudget) {}

  write(value: unknown): void {
    const text = liquidText(value);
    this.budget.spend(text.length);
    this.buffer += text;
  }
}

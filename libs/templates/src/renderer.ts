import { LRUCache } from 'lru-cache';
import type { HelperSettings } from './helpers.js';
import type { Compiled, Language } from './language.js';
import { languageOf } from './languages.js';
import { DEFAULT_LIMITS, type RenderLimits } from './render-budget.js';
import type { Escaping } from './marked-values.js';
import type { TemplateLanguage } from './template.types.js';
import type { Wording } from './translate.js';

export interface RendererOptions extends Partial<HelperSettings> {
  cacheCharacters?: number;
}

export interface RenderOptions extends Partial<RenderLimits> {
  /** `none` for text that is not HTML, such as a subject or a value to compare. Default: `html`. */
  escaping?: Escaping;
  /** For `t`, which shows keys without it. */
  wording?: Wording | undefined;
  /** Of the source. Default: handlebars. */
  language?: TemplateLanguage | undefined;
}

export interface Renderer {
  /**
   * Escapes values, so that they cannot become HTML; how a template says otherwise depends on its language.
   * @throws {TemplateError} and nothing else
   */
  render(source: string, context: Readonly<Record<string, unknown>>, options?: RenderOptions): string;
}

/** With its own cache of compiled templates; one per process is enough. */
export function createRenderer({ timeZone = 'UTC', cacheCharacters = 10_000_000 }: RendererOptions = {}): Renderer {
  const engineOf = (name: TemplateLanguage): ReturnType<Language['engine']> => languageOf(name).engine({ timeZone });
  const engines = { handlebars: engineOf('handlebars'), liquid: engineOf('liquid') };
  const cache = new LRUCache<string, Compiled>({
    maxSize: cacheCharacters,
    sizeCalculation: (_, key) => key.length + 200,
  });
  const compiled = (source: string, escaping: Escaping, language: TemplateLanguage): Compiled => {
    const key = `${language}:${escaping}:${source}`;
    const known = cache.get(key) ?? engines[language](source, escaping);
    cache.set(key, known);
    return known;
  };
  return {
    render(source, context, { escaping = 'html', wording, language = 'handlebars', ...limits } = {}) {
      return compiled(source, escaping, language)(context, { ...DEFAULT_LIMITS, ...limits }, wording);
    },
  };
}

import { Drop, type FilterImplOptions, filters } from 'liquidjs';
import { escapeHtml } from './html-safety.js';
import { createHelpers, type HelperSettings } from './helpers.js';
import { type Escaping, marked } from './marked-values.js';
import { toText } from './to-text.js';
import { translate, type Wording } from './translate.js';

/** What is being rendered; one is enough, because rendering is synchronous. */
export interface Rendered {
  wording?: Wording | undefined;
}

/** Helpers whose names mean the same as filters; Liquid has the others in words of its own. */
const SHARED = ['titlecase', 'dateFormat', 'numberFormat', 'uriEncode'] as const;

/** As text: lists are joined, as in Liquid, and objects are JSON. Does not call methods of values. */
export function liquidText(value: unknown): string {
  if (Array.isArray(value)) return value.map(liquidText).join('');
  if (value instanceof Drop) return liquidText(value.valueOf());
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) return JSON.stringify(value);
  return toText(value);
}

/** As HTML, values are escaped where they are shown, so what has escaped them before is not escaped again. */
export function liquidFilters(
  settings: HelperSettings,
  rendered: Rendered,
  escaping: Escaping,
): Record<string, FilterImplOptions> {
  const helpers = createHelpers(settings);
  const shared = SHARED.map((name): [string, FilterImplOptions] => [
    name,
    (value: unknown, ...given: unknown[]) => {
      const { args, named } = argumentsOf(given);
      return helpers[name]([value, ...args], named);
    },
  ]);
  const t = (escape?: (text: string) => string): ((key: unknown, ...given: unknown[]) => string) => {
    return (key, ...given) => translate(rendered.wording, key, argumentsOf(given).named, escape);
  };
  return {
    ...Object.fromEntries(shared),
    t: escaping === 'marks' ? { raw: true, handler: t(marked) } : t(),
    t_html: { raw: true, handler: t(escapeHtml) },
    pluralize,
    toSentence,
    digest,
    ...(escaping === 'html' && {
      escape: unescaped('escape'),
      escape_once: unescaped('escape_once'),
      newline_to_br: LINES,
    }),
  };
}

function unescaped(name: 'escape' | 'escape_once'): FilterImplOptions {
  return { raw: true, handler: filters[name] as FilterImplOptions & (() => unknown) };
}

const LINES: FilterImplOptions = {
  raw: true,
  handler(value: unknown) {
    const escaped = (filters['escape_once'] as (this: unknown, text: unknown) => string).call(this, value);
    return escaped.replaceAll(/\r?\n/g, '<br />\n');
  },
};

function argumentsOf(given: readonly unknown[]): { args: unknown[]; named: Record<string, unknown> } {
  const isNamed = (one: unknown): one is [string, unknown] =>
    Array.isArray(one) && one.length === 2 && typeof one[0] === 'string';
  return { args: given.filter((one) => !isNamed(one)), named: Object.fromEntries(given.filter(isNamed)) };
}

/** `{{ events | pluralize: 'comment', 'comments' }}`: "2 comments"; with `'false'`, without the number. */
function pluralize(item: unknown, one: unknown = '', many: unknown = '', showCount: unknown = 'true'): string {
  const count = countOf(item);
  if (count <= 0) return '';
  const word = count === 1 ? toText(one) : toText(many) || `${toText(one)}s`;
  return String(showCount) === 'false' ? word : `${count} ${word}`;
}

function countOf(item: unknown): number {
  if (Array.isArray(item)) return item.length;
  if (typeof item === 'object' && item !== null) return Object.keys(item).length;
  const number = Number(item);
  return Number.isFinite(number) ? number : 0;
}

/** `{{ events | toSentence: 'payload.name', 2, 'other' }}`: "Ann, Bea, and 3 others". */
function toSentence(list: unknown, path: unknown = '', limit: unknown = 2, ...words: unknown[]): string {
  const [suffix = 'other', between = ', ', betweenTwo = ' and ', beforeLast = ', and '] = words;
  const names = namesIn(list, path);
  const shown = names.slice(0, positive(limit, names.length));
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} ${toText(suffix)}${rest === 1 ? '' : 's'}`] : shown;
  if (parts.length <= 1) return parts.join('');
  if (parts.length === 2) return parts.join(toText(betweenTwo));
  return `${parts.slice(0, -1).join(toText(between))}${toText(beforeLast)}${parts.at(-1)}`;
}

/** `{{ events | digest: 2, 'payload.name', ', ' }}`: "Ann, Bea and 3 others". */
function digest(list: unknown, limit: unknown = 2, path: unknown = '', between: unknown = ', '): string {
  const names = namesIn(list, path);
  const shown = names.slice(0, positive(limit, names.length));
  const rest = names.length - shown.length;
  const text = shown.join(toText(between));
  return rest > 0 ? `${text} and ${rest} ${rest === 1 ? 'other' : 'others'}` : text;
}

function positive(value: unknown, otherwise: number): number {
  const number = Math.trunc(Number(value));
  return number > 0 ? number : otherwise;
}

/** Own properties only. */
function namesIn(list: unknown, path: unknown): string[] {
  const keys = typeof path === 'string' && path !== '' ? path.split('.') : [];
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((item) => {
    const name = keys.reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      item,
    );
    const text = liquidText(name);
    return text === '' ? [] : [text];
  });
}

/** `{{ t.orders.shipped }}` is the translation of `orders.shipped`. Templates can read whatever is not private. */
export class TranslationDrop extends Drop {
  readonly #rendered: Rendered;
  readonly #path: readonly string[];

  constructor(rendered: Rendered, path: readonly string[] = []) {
    super();
    this.#rendered = rendered;
    this.#path = path;
  }

  override liquidMethodMissing(key: string | number): unknown {
    return new TranslationDrop(this.#rendered, [...this.#path, String(key)]);
  }

  override valueOf(): string {
    return this.#path.length === 0 ? '' : translate(this.#rendered.wording, this.#path.join('.'), {});
  }
}

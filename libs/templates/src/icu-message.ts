import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { LRUCache } from 'lru-cache';
import { readDate } from './date-format.js';
import { toNumber } from './helpers.js';
import { DEFAULT_LIMITS } from './render-budget.js';
import { TemplateError } from './template-error.js';
import { toText } from './to-text.js';

type Values = Readonly<Record<string, unknown>>;
type Formats = (typeof IntlMessageFormat)['formats'];

/** Characters of one message. Parsing takes at most 4 µs for each. */
const MAX_MESSAGE = 5_000;
const MAX_BRACES = 200;
/** Each plural or select is two levels deep. */
const MAX_DEPTH = 20;
/** For locales that the runtime has no data of: the result must not depend on the machine. */
const LAST_LOCALE = 'en';

/** No tags: `<` is a character, and what is HTML is decided by the template. */
const OPTIONS = { ignoreTag: true, captureLocation: false } as const;

/** Placeholders, plurals and selects all open a brace. */
export function bracesIn(message: string): number {
  let count = 0;
  for (let at = message.indexOf('{'); at >= 0; at = message.indexOf('{', at + 1)) count += 1;
  return count;
}

/** Why a message cannot be used. For use when it is saved; never throws. */
export function messageFault(message: string, locale: string): string | undefined {
  if (message.length > MAX_MESSAGE) return `may have at most ${MAX_MESSAGE} characters`;
  if (bracesIn(message) > MAX_BRACES) return `may hold at most ${MAX_BRACES} placeholders and cases`;
  if (depthOf(message) > MAX_DEPTH) return `may be nested at most ${MAX_DEPTH / 2} levels deep`;
  try {
    return styleFault(parse(message, { ...OPTIONS, captureLocation: true }), locale);
  } catch (error) {
    return `is not an ICU message: ${syntaxFault(error)}`;
  }
}

function depthOf(message: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of message) {
    if (character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === '}') depth -= 1;
  }
  return deepest;
}

interface Place {
  readonly location?: { readonly start: { readonly line: number; readonly column: number } };
}

function syntaxFault(error: unknown): string {
  const words = error instanceof Error ? error.message.toLowerCase().replaceAll('_', ' ') : 'it cannot be read';
  const { start } = (error as Place).location ?? {};
  return start === undefined ? words : `${words} (line ${start.line}, column ${start.column})`;
}

function styleFault(elements: readonly MessageFormatElement[], locale: string): string | undefined {
  for (const element of elements) {
    const inner = 'options' in element ? Object.values(element.options) : [];
    const fault = ownStyleFault(element, locale) ?? first(inner.map(({ value }) => styleFault(value, locale)));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function first(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}

function ownStyleFault(element: MessageFormatElement, locale: string): string | undefined {
  if (element.type !== TYPE.number && element.type !== TYPE.date && element.type !== TYPE.time) return undefined;
  const { style, value } = element;
  if (style === undefined || style === null) return undefined;
  const kind = element.type === TYPE.number ? 'number' : element.type === TYPE.date ? 'date' : 'time';
  const named = typeof style === 'string' ? namedStyle(kind, style) : style.parsedOptions;
  if (named === undefined) return `has the unknown ${kind} style '${toText(style)}' at {${value}}`;
  try {
    if (kind === 'number') new Intl.NumberFormat([locale, LAST_LOCALE], named).format(1);
    else new Intl.DateTimeFormat([locale, LAST_LOCALE], named).format(0);
    return undefined;
  } catch {
    return `has a ${kind} style that cannot be used at {${value}}`;
  }
}

function namedStyle(kind: keyof Formats, style: string): object | undefined {
  const known = IntlMessageFormat.formats[kind];
  return Object.hasOwn(known, style) ? known[style] : undefined;
}

type Use = 'text' | 'number' | 'date';

/** A message of a locale, read once. It is interpreted: nothing is compiled to code. */
export class IcuMessage {
  private readonly elements: MessageFormatElement[];
  private readonly uses = new Map<string, Set<Use>>();
  private readonly whole: IntlMessageFormat;
  private readonly braces: number;

  constructor(
    private readonly message: string,
    private readonly locale: string,
    private readonly timeZone: string,
  ) {
    this.elements = parse(message, OPTIONS);
    this.braces = bracesIn(message);
    this.readUses(this.elements);
    this.whole = this.formatOf(this.elements);
  }

  /** Values that are missing are empty; a value that is no number or date where one is needed is shown as it is. */
  format(given: Values): string {
    const values = Object.create(null) as Record<string, string | number | Date>;
    const unfit = new Set<string>();
    let longest = 0;
    for (const [name, uses] of this.uses) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      const usable = usableAs(uses, value, this.timeZone);
      if (usable === undefined) unfit.add(name);
      values[name] = usable ?? toText(value);
      longest = Math.max(longest, toText(values[name]).length);
    }
    const { maxOutput } = DEFAULT_LIMITS;
    if (this.message.length + this.braces * longest > maxOutput) {
      throw new TemplateError(`the output is longer than ${maxOutput} characters`);
    }
    const format = unfit.size === 0 ? this.whole : this.formatOf(withTexts(this.elements, unfit));
    return toText(format.format(values));
  }

  private formatOf(elements: MessageFormatElement[]): IntlMessageFormat {
    const formatters = formattersOf(this.timeZone);
    return new IntlMessageFormat(elements, [this.locale, LAST_LOCALE], undefined, { ...OPTIONS, formatters });
  }

  private readUses(elements: readonly MessageFormatElement[]): void {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
      const known = this.uses.get(element.value) ?? new Set<Use>();
      this.uses.set(element.value, known.add(useOf(element.type)));
      if ('options' in element) for (const { value } of Object.values(element.options)) this.readUses(value);
    }
  }
}

function useOf(type: TYPE): Use {
  if (type === TYPE.number || type === TYPE.plural) return 'number';
  return type === TYPE.date || type === TYPE.time ? 'date' : 'text';
}

function usableAs(uses: ReadonlySet<Use>, value: unknown, timeZone: string): string | number | Date | undefined {
  if (uses.has('date')) return readDate(value, timeZone)?.toJSDate();
  if (!uses.has('number')) return toText(value);
  const number = toNumber(value);
  return Number.isNaN(number) ? undefined : number;
}

/** Shows some values as texts: plurals of them are those of any other number. */
function withTexts(elements: readonly MessageFormatElement[], names: ReadonlySet<string>): MessageFormatElement[] {
  return elements.flatMap((element): MessageFormatElement[] => {
    if (element.type === TYPE.select) return [{ ...element, options: optionsWithTexts(element.options, names) }];
    if (element.type === TYPE.plural) {
      if (!names.has(element.value)) return [{ ...element, options: optionsWithTexts(element.options, names) }];
      const text: MessageFormatElement = { type: TYPE.argument, value: element.value };
      const other = element.options['other']?.value ?? [];
      return withTexts(other, names).map((one) => (one.type === TYPE.pound ? text : one));
    }
    const isUnfit = 'value' in element && element.type !== TYPE.literal && names.has(element.value);
    return [isUnfit ? { type: TYPE.argument, value: element.value } : element];
  });
}

type Options = Extract<MessageFormatElement, { options: unknown }>['options'];

function optionsWithTexts<T extends Options>(options: T, names: ReadonlySet<string>): T {
  const changed = Object.entries(options).map(([key, option]) => [
    key,
    { ...option, value: withTexts(option.value, names) },
  ]);
  return Object.fromEntries(changed) as T;
}

type Formatters = NonNullable<NonNullable<ConstructorParameters<typeof IntlMessageFormat>[3]>['formatters']>;

/** Making a formatter of the runtime takes longer than using it. */
const made = new LRUCache<string, object>({ max: 500 });
const formatters = new LRUCache<string, Formatters>({ max: 50 });

function formattersOf(timeZone: string): Formatters {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const own: Formatters = {
    getNumberFormat: (locales, options) =>
      kept(['number', locales, options], () => new Intl.NumberFormat(locales, options)),
    getDateTimeFormat: (locales, options) =>
      kept(['date', timeZone, locales, options], () => new Intl.DateTimeFormat(locales, { timeZone, ...options })),
    getPluralRules: (locales, options) =>
      kept(['plural', locales, options], () => new Intl.PluralRules(locales, options)),
  };
  formatters.set(timeZone, own);
  return own;
}

function kept<T extends object>(name: readonly unknown[], make: () => T): T {
  const key = JSON.stringify(name);
  const known = made.get(key) as T | undefined;
  const one = known ?? make();
  if (known === undefined) made.set(key, one);
  return one;
}

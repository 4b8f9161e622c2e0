import { LRUCache } from 'lru-cache';
import { IcuMessage } from './icu-message.js';
import { TemplateError } from './template-error.js';
import { toText } from './to-text.js';

/** The name of the helper that shows a translation. Without arguments, it is a value of the payload. */
export const T_HELPER = 't';

/** Matches every call of the helper, or of the filters and the object of its name in Liquid, and little else. */
const CALLS_T = /[{(#&~^]\s*t\s+[^\s}]|\|\s*t(?:_html)?\s*(?:[:|}%\n]|-[%}])|\{-?\s*t\s*[.[]/;

export function callsT(source: string): boolean {
  return CALLS_T.test(source);
}

/** A translation. */
export interface Words {
  readonly message: string;
  readonly locale: string;
  /** The locale of the reader has none: it is that of the default locale. */
  readonly isMissing?: true;
}

/** The words of one reader's languages, shared by all readers who have the same. */
export interface Dictionary {
  /** Of the reader, as far as there are words; `und` if there are none at all. */
  readonly locale: string;
  readonly words: Readonly<Record<string, Words>>;
  /** Length of the longest message. */
  readonly longest: number;
  /** Most placeholders of a message. */
  readonly braces: number;
}

export const NO_LOCALE = 'und';
export const NO_WORDS: Dictionary = { locale: NO_LOCALE, words: {}, longest: 0, braces: 0 };

/** What one rendering translates with, and what it found missing. */
export interface Wording {
  readonly dictionary: Dictionary;
  readonly timeZone: string;
  /** Keys. */
  readonly missing: Set<string>;
}

const MAX_MISSING = 20;
export const MAX_KEY = 200;

const messages = new LRUCache<string, IcuMessage>({
  maxSize: 4_000_000,
  sizeCalculation: (_, key) => 2 * key.length + 500,
});

/**
 * A key without a translation is shown itself.
 * @param escape of values, in a message that is HTML
 */
export function translate(
  wording: Wording | undefined,
  key: unknown,
  values: Readonly<Record<string, unknown>>,
  escape: (text: string) => string = (text) => text,
): string {
  const name = toText(key);
  const words = wording && Object.hasOwn(wording.dictionary.words, name) ? wording.dictionary.words[name] : undefined;
  if (wording && (words === undefined || words.isMissing) && wording.missing.size < MAX_MISSING) {
    wording.missing.add(name.slice(0, MAX_KEY));
  }
  if (wording === undefined || words === undefined) return escape(name);
  const escaped = Object.entries(values).map(([argument, value]) => [
    argument,
    typeof value === 'string' ? escape(value) : value,
  ]);
  try {
    return messageOf(words, wording.timeZone).format(Object.fromEntries(escaped) as Record<string, unknown>);
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    throw new TemplateError(`the translation '${name.slice(0, MAX_KEY)}' cannot be formatted`);
  }
}

function messageOf({ message, locale }: Words, timeZone: string): IcuMessage {
  const key = `${locale}\n${timeZone}\n${message}`;
  const known = messages.get(key);
  if (known !== undefined) return known;
  const read = new IcuMessage(message, locale, timeZone);
  messages.set(key, read);
  return read;
}

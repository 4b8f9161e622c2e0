import type { Schemas } from '../api/client.js';
import { ApiFailure } from '../api/failure.js';

export type Locale = Schemas['TranslationResponse'];
export type Messages = Schemas['SetTranslationDto']['messages'];
export type Missed = Schemas['MissingTranslationResponse'];

/** A key with its message in each locale. */
export interface Row {
  readonly key: string;
  readonly messages: Readonly<Record<string, string>>;
  /** Locales in which messages lacked it. */
  readonly missed: readonly string[];
}

/** All keys by name, those that messages used in vain included. */
export function rowsOf(locales: readonly Locale[], missed: readonly Missed[]): Row[] {
  const keys = new Set([...locales.flatMap(({ messages }) => Object.keys(messages)), ...missed.map(({ key }) => key)]);
  return [...keys].sort().map((key) => ({
    key,
    messages: Object.fromEntries(
      locales.flatMap(({ locale, messages }) => (Object.hasOwn(messages, key) ? [[locale, messages[key] ?? '']] : [])),
    ),
    missed: missed.filter((one) => one.key === key).map(({ locale }) => locale),
  }));
}

export interface RowFilter {
  readonly text: string;
  readonly onlyMissing: boolean;
}

export function filtered(rows: readonly Row[], locales: readonly Locale[], { text, onlyMissing }: RowFilter): Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ key, messages, missed }) => {
    const isMissing = missed.length > 0 || locales.some(({ locale }) => messages[locale] === undefined);
    if (onlyMissing && !isMissing) return false;
    return wanted === '' || [key, ...Object.values(messages)].some((one) => one.toLowerCase().includes(wanted));
  });
}

/** How many keys of the default locale another one lacks. */
export function lacking(locale: Locale, all: readonly Locale[]): number {
  const byDefault = all.find(({ isDefault }) => isDefault);
  return Object.keys(byDefault?.messages ?? {}).filter((key) => !Object.hasOwn(locale.messages, key)).length;
}

/**
 * The messages of a file: an object of texts, nested or not, or a file of `herald pull`.
 * @throws {ApiFailure} which says what is wrong, as the API does
 */
export function messagesOf(text: string): Messages {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw unreadable('The file is not JSON.');
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw unreadable('The file must be an object.');
  const all = read as Messages;
  const isDefinition =
    typeof all['locale'] === 'string' && typeof all['messages'] === 'object' && all['messages'] !== null;
  return isDefinition ? (all['messages'] as Messages) : all;
}

function unreadable(text: string): ApiFailure {
  return new ApiFailure({ status: 0, code: 'unreadable_file', texts: [text] });
}

import { bracesIn, MAX_KEY, messageFault } from '#libs/templates';
import { isObject } from '#libs/validation';
import { Turns } from '#libs/worker-pool';

export type Messages = Readonly<Record<string, string>>;

export const MAX_KEYS = 2_000;
/** Bytes of the JSON of one locale. */
const MAX_BYTES = 256_000;
const MAX_FAULTS = 20;
const MAX_DEPTH = 10;

/** Objects become keys with dots, as other tools nest them. Each fault begins with its path. */
export function flatMessages(given: unknown): { messages: Messages; faults: string[] } {
  const found = new Map<string, string>();
  const faults: string[] = [];
  if (isObject(given)) addAll(given, '', 1, found, faults);
  else faults.push('messages must be an object');
  return { messages: Object.fromEntries(found), faults: faults.slice(0, MAX_FAULTS) };
}

function addAll(
  given: Record<string, unknown>,
  prefix: string,
  depth: number,
  found: Map<string, string>,
  faults: string[],
): void {
  for (const [name, value] of Object.entries(given)) {
    if (faults.length >= MAX_FAULTS) return;
    const key = `${prefix}${name}`;
    const path = `messages.${key.slice(0, MAX_KEY)}`;
    if (isObject(value) && depth < MAX_DEPTH) addAll(value, `${key}.`, depth + 1, found, faults);
    else if (typeof value !== 'string') faults.push(`${path} must be a text or an object of texts`);
    else if (key.length > MAX_KEY) faults.push(`${path} is a key of more than ${MAX_KEY} characters`);
    else if (!/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u.test(key)) {
      faults.push(`${path} must be a key without spaces around it or control characters`);
    } else if (found.has(key)) faults.push(`${path} is there twice: with a dot, and as an object`);
    else if (found.size >= MAX_KEYS) faults.push(`messages may have at most ${MAX_KEYS} keys`);
    else found.set(key, value);
  }
}

/** Yields to other requests: reading thousands of messages takes a while. */
export async function faultsOfMessages(messages: Messages, locale: string): Promise<string[]> {
  const faults: string[] = [];
  if (Buffer.byteLength(JSON.stringify(messages)) > MAX_BYTES) {
    return [`messages may have at most ${MAX_BYTES / 1_000} kB in one locale`];
  }
  const turns = new Turns();
  for (const [key, message] of Object.entries(messages)) {
    const fault = messageFault(message, locale);
    if (fault !== undefined) faults.push(`messages.${key} ${fault}`);
    if (faults.length >= MAX_FAULTS) break;
    await turns.offer();
  }
  return faults;
}

/** What rendering may have to do with one of them. */
export function weightOfMessages(messages: Messages): { keyCount: number; longest: number; braces: number } {
  const texts = Object.values(messages);
  return {
    keyCount: texts.length,
    longest: texts.reduce((longest, { length }) => Math.max(longest, length), 0),
    braces: texts.reduce((most, text) => Math.max(most, bracesIn(text)), 0),
  };
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OBJECT = 0x7b;
export const OBJECT_END = 0x7d;
export const LIST = 0x5b;
export const LIST_END = 0x5d;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Without details, which would quote the body. */
export class MalformedJson extends Error {}

export interface TextRead {
  /** The closing quote; without one, a place to split: not within a character or an escape. */
  readonly place: number;
  readonly hasEnded: boolean;
}

/** Stops at the end, or where the string can be split after `least`. @throws {MalformedJson} */
export function readText(json: Buffer, from: number, least: number): TextRead {
  let place = from;
  for (; place < least; place++) {
    const byte = json[place];
    if (byte === QUOTE) return { place, hasEnded: true };
    if (byte === BACKSLASH) place += json[place + 1] === LETTER_U ? 5 : 1;
    else if (byte === undefined) throw new MalformedJson();
  }
  while (((json[place] ?? 0) & 0xc0) === 0x80) place++;
  return { place, hasEnded: false };
}

export function isBlank(json: Buffer, start: number, end: number): boolean {
  for (let place = start; place < end; place++) {
    const byte = json[place];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false;
  }
  return true;
}

export function isNamed(json: Buffer, start: number, key: Buffer): boolean {
  let place = start - 1;
  while (place > 0 && isBlank(json, place, place + 1)) place--;
  if (json[place--] !== COLON) return false;
  while (place > 0 && isBlank(json, place, place + 1)) place--;
  return place >= key.length && json.subarray(place + 1 - key.length, place + 1).equals(key);
}

/** @throws {MalformedJson} */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new MalformedJson();
  }
}

/** More keys and entries than any honest body has. */
export const MAX_KEYS = 200_000;
export const TOO_MANY_KEYS = `the body has more than ${MAX_KEYS} keys and entries`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OBJECT = 0x7b;
const LIST = 0x5b;

/** Passes through `express.json`, which gives it a status and a type of its own. */
export class TooManyKeys extends Error {}

/**
 * Counts keys, objects and lists without parsing: masses of them take seconds to parse, before any key is checked. Plain
 * entries of lists are quickly parsed and counted later.
 * @throws TooManyKeys
 */
export function refuseMassesOfKeys(_request: unknown, _response: unknown, json: Buffer): void {
  if (json.length <= MAX_KEYS) return;
  let seen = 0;
  for (let place = 0; place < json.length; place++) {
    const byte = json[place] ?? 0;
    if (byte === QUOTE) place = endOfText(json, place);
    else if ((byte === COLON || byte === OBJECT || byte === LIST) && ++seen > MAX_KEYS) throw new TooManyKeys();
  }
}

/** The place of the quote that ends the text which begins at `start`; the length where none does. */
function endOfText(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

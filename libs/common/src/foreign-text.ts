/** Far more than a provider reports or a server answers at once. So many different keys take some 40 ms to parse. */
const MAX_VALUES = 80_000;
const MAX_LEVELS = 64;

/**
 * Parses JSON that somebody else has written. Values and levels are counted before, because masses of them would keep the
 * event loop busy; the number of bytes is the caller's to limit.
 * @throws {SyntaxError} if it is no JSON, or too much
 */
export function parseForeignJson(text: string): unknown {
  refuseMasses(text);
  return JSON.parse(text) as unknown;
}

function refuseMasses(text: string): void {
  let values = 0;
  let levels = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfText(text, at);
    else if (sign === ',') values++;
    else if (sign === '{' || sign === '[') {
      values++;
      levels++;
    } else if (sign === '}' || sign === ']') levels--;
    if (values > MAX_VALUES) throw new SyntaxError(`The JSON has more than ${MAX_VALUES} keys and entries.`);
    if (levels > MAX_LEVELS) throw new SyntaxError(`The JSON is nested deeper than ${MAX_LEVELS} levels.`);
  }
}

/** The place of the closing quote; the length of a text that has none. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const AMPERSAND = 0x26;
const PLUS = 0x2b;
const SPACE = 0x20;
/** More than a page of settings has. */
const MAX_FIELDS = 10_000;

/**
 * Parses a form that somebody else has sent. Fields are counted before; the number of bytes is the caller's to limit.
 * @throws {SyntaxError} for too many fields
 */
export function parseForeignForm(body: Buffer): URLSearchParams {
  const bytes = Buffer.from(body);
  let fields = 1;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === AMPERSAND && ++fields > MAX_FIELDS) {
      throw new SyntaxError(`The form has more than ${MAX_FIELDS} fields.`);
    }
    // The class takes 100 ms for a million plus signs, and 15 for as many spaces, which mean the same.
    if (bytes[at] === PLUS) bytes[at] = SPACE;
  }
  return new URLSearchParams(bytes.toString('utf8'));
}

/** `\{{` is text; `\\{{` is a backslash and an expression. */
function isEscaped(source: string, start: number): boolean {
  return source[start - 1] === '\\' && source[start - 2] !== '\\';
}

type ExpressionKind = 'expression' | 'comment' | 'long comment';

function kindOf(source: string, start: number): ExpressionKind {
  const at = source[start + 2] === '~' ? start + 3 : start + 2;
  if (source.startsWith('!--', at)) return 'long comment';
  return source[at] === '!' ? 'comment' : 'expression';
}

interface Expression {
  readonly kind: ExpressionKind;
  readonly start: number;
  /** Behind its last brace; the end of the template if it is not closed. */
  readonly end: number;
  /** Names, values, and the signs between them. */
  readonly parts: number;
}

/**
 * Reads signs only, in linear time: for what must be known before Handlebars parses.
 * @param start of `{{`
 */
export function expressionAt(source: string, start: number): Expression {
  const kind = kindOf(source, start);
  if (kind === 'comment') return { kind, start, end: endBehind(source, start, '}}'), parts: 0 };
  if (kind === 'long comment') return { kind, start, end: endBehind(source, start, '--}}'), parts: 0 };
  let parts = 0;
  let isInName = false;
  for (let at = start + 2; at < source.length; at += 1) {
    const sign = source[at] ?? '';
    if (sign === '}' && source[at + 1] === '}') return { kind, start, end: endOfBraces(source, start, at), parts };
    const closing = CLOSING[sign];
    const isName = closing === undefined && !NO_NAME.has(sign);
    if (closing !== undefined || PART.has(sign) || (isName && !isInName)) parts += 1;
    isInName = isName;
    // Texts and `[names]` may hold braces.
    if (closing !== undefined) at = endOfText(source, at + 1, closing);
  }
  return { kind, start, end: source.length, parts };
}

/** Escaped ones are left out. */
export function* expressionsIn(source: string): Generator<Expression> {
  for (let start = source.indexOf('{{'); start >= 0;) {
    const found = isEscaped(source, start) ? undefined : expressionAt(source, start);
    if (found !== undefined) yield found;
    start = source.indexOf('{{', found?.end ?? start + 2);
  }
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '[': ']' };
const PART: ReadonlySet<string> = new Set('./=|()');
const NO_NAME: ReadonlySet<string> = new Set('./=|(){}~#^&@> \t\r\n');

function endBehind(source: string, start: number, close: string): number {
  const at = source.indexOf(close, start + 3);
  return at < 0 ? source.length : at + close.length;
}

function endOfBraces(source: string, start: number, at: number): number {
  const isTriple = source[start + 2] === '{' || source.startsWith('~{', start + 2);
  return isTriple && source[at + 2] === '}' ? at + 3 : at + 2;
}

function endOfText(source: string, from: number, closing: string): number {
  let at = from;
  while (at < source.length && source[at] !== closing) at += source[at] === '\\' ? 2 : 1;
  return at;
}

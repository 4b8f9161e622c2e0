import { BSONRegExp } from 'bson';
import { badValue, notSupported } from '../errors.js';

/** White space as MongoDB's dialect knows it; JavaScript's `\s` has more, which its `\S` then lacks. */
const SPACES = '\\t-\\r ';
const OTHER_SPACES = '\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** One piece of a pattern: an escape, the beginning of a group or a class, or a single character. */
const PIECE = /\\[^]|\(\?[a-z-]?|\[\^?\]?|[^]/gu;

/**
 * Compiles a MongoDB regular expression. Where JavaScript reads the same text in another way it is spelt so that it means the same:
 * only `\n` ends a line, and `$` holds before one at the end of the text. Syntax that JavaScript does not have (`\A`, `\Q..\E`,
 * inline flags, possessive quantifiers, `[:alpha:]`) is refused, never guessed at.
 */
export function compileRegex(pattern: string, options: string): RegExp {
  for (const option of options) {
    if (option === 'x') throw notSupported('the regular expression option x');
    if (!'imsu'.includes(option)) throw badValue(`invalid flag in regex options: ${option}`);
  }
  const translated = translate(pattern, options.includes('m'), options.includes('s'));
  try {
    return new RegExp(translated, options.includes('i') ? 'iu' : 'u');
  } catch (cause) {
    throw badValue(
      `Regular expression is invalid or not supported by the embedded store: /${pattern}/ (${(cause as Error).message})`,
    );
  }
}

/** An expression for the whole of a text. @throws {SyntaxError} */
export const wholeText = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'u');

/** All matches of an expression in a text, from its beginning. */
export const matchesOf = (input: string, regex: RegExp): Iterable<RegExpExecArray> =>
  input.matchAll(new RegExp(regex, `${regex.flags}g`));

function translate(pattern: string, lines: boolean, dotAll: boolean): string {
  const outside: Record<string, string> = {
    '.': dotAll ? '[^]' : '[^\\n]',
    '^': lines ? '(?:^|(?<=\\n)(?!$))' : '^',
    $: lines ? '(?=\\n|$)' : '(?=\\n?$)',
    '\\s': `[${SPACES}]`,
    '\\S': `[^${SPACES}]`,
  };
  const inside: Record<string, string> = { '\\s': SPACES, '\\S': `\\S${OTHER_SPACES}` };
  let inClass = false;
  return pattern.replace(PIECE, (piece, at: number) => {
    if (/^\\[^A-Za-z0-9]/u.test(piece)) return escaped(piece.slice(1));
    if (piece === '\\v' || /^\(\?[a-z-]$/.test(piece) || (!inClass && piece.startsWith('[') && piece.endsWith(']')))
      throw notSupported(`${piece} in a regular expression`);
    if (inClass) {
      if (piece.startsWith('[') && /[:.=]/.test(pattern.charAt(at + 1)))
        throw notSupported(`[${pattern.charAt(at + 1)} in a class of a regular expression`);
      if (piece.endsWith(']') && !piece.startsWith('\\')) inClass = false;
      return inside[piece] ?? piece;
    }
    if (piece.startsWith('[')) inClass = true;
    return outside[piece] ?? piece;
  });
}

/** Other dialects let one escape any punctuation; JavaScript wants such escapes spelt as code points. */
const escaped = (char: string): string =>
  '\\^$.*+?()[]{}|/'.includes(char) ? `\\${char}` : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** The text that every match must start with (`^abc` gives `abc`), or undefined. */
export function literalPrefix(regex: BSONRegExp): string | undefined {
  if (/[ims x]/.test(regex.options) || regex.pattern.includes('|')) return undefined;
  const found = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9])+)/u.exec(regex.pattern);
  if (!found) return undefined;
  let literal = (found[1] as string).replace(/\\(.)/gsu, '$1');
  // a quantifier that follows applies to the last character
  if (/^[*?{]/.test(regex.pattern.slice(found[0].length))) literal = [...literal].slice(0, -1).join('');
  // characters that keys spell in another way
  return literal === '' || literal.includes('\0') || literal.includes('\u0001') ? undefined : literal;
}

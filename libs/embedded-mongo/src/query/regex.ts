import { BSONRegExp } from 'bson';
import { badValue, notSupported } from '../errors.js';

/** Punctuation that other dialects let one escape; JavaScript's strict mode wants such escapes spelt as code points. */
const LOOSE_ESCAPE = /\\([\\^$.*+?()[\]{}|/]|[^A-Za-z0-9])/gu;

/**
 * Compiles a MongoDB regular expression. Syntax that JavaScript reads in another way (`\A`, `\Q..\E`, inline flags, possessive
 * quantifiers) is an error of the strict mode and refused, never guessed at.
 */
export function compileRegex(pattern: string, options: string): RegExp {
  let flags = 'u';
  for (const option of options) {
    if (option === 'i' || option === 'm' || option === 's') flags += flags.includes(option) ? '' : option;
    else if (option === 'x') throw notSupported('the regular expression option x');
    else if (option !== 'u') throw badValue(`invalid flag in regex options: ${option}`);
  }
  const strict = pattern.replace(LOOSE_ESCAPE, (whole, char: string) =>
    '\\^$.*+?()[]{}|/'.includes(char) ? whole : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  try {
    return new RegExp(strict, flags);
  } catch (cause) {
    throw badValue(
      `Regular expression is invalid or not supported by the embedded store: /${pattern}/ (${(cause as Error).message})`,
    );
  }
}

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

import { customAlphabet } from 'nanoid';
import slugify from 'slugify';

const DIGITS_AND_LOWER_CASE = '0123456789abcdefghijklmnopqrstuvwxyz';
const ALPHANUMERIC = `${DIGITS_AND_LOWER_CASE}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

export function shortId(length: number, letters: 'lower' | 'mixed' = 'lower'): string {
  return customAlphabet(letters === 'lower' ? DIGITS_AND_LOWER_CASE : ALPHANUMERIC, length)();
}

/** Lower-case words joined by hyphens; empty without letters that can be transcribed. */
export function slugOf(text: string, maxLength: number): string {
  return slugify(text, { lower: true, strict: true }).slice(0, maxLength);
}

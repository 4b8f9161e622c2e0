/** Control characters, and the characters that change the direction or the lines of a text. */
// eslint-disable-next-line no-control-regex -- these are what is replaced
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text for one line of a terminal. What others have named could otherwise clear the screen, change the title of the window, or
 * look like a line of the program.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for a text whose line breaks are meant. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON for a terminal, which obeys control characters beyond ASCII as well. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/\p{Cc}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

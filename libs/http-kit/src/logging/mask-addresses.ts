const WORD = /[^\s<>"'(),;:]+/g;
/** Shorter numbers are status codes, times and sizes. */
const LONG_NUMBER = /\d{7,}/g;
const TOKEN_LENGTH = 40;

/** Masks local parts of email addresses, phone numbers and device tokens. */
export function maskAddresses(text: string): string {
  return text.replace(WORD, (word) => {
    const at = word.lastIndexOf('@');
    if (at >= 0) return `***${word.slice(at)}`;
    if (word.length >= TOKEN_LENGTH) return '***';
    return word.replace(LONG_NUMBER, (digits) => `***${digits.slice(-2)}`);
  });
}

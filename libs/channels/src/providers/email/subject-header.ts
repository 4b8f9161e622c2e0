/** What the first line of the header has room for. */
const LINE = 52;
const ASCII = /^[\x20-\x7e]*$/;
/** Nothing to break a line at, blanks that readers join, or what they would decode. */
const UNSAFE = /\S{52}|\s\s|=\?/;

/**
 * A subject for nodemailer, which breaks a long one in ASCII at its blanks: after `Subject:` if the first word is long, not at all in a
 * word of a thousand letters, and between two blanks, of which readers show one. Such a subject is sent in encoded words.
 */
export function subjectHeader(subject: string): { subject?: string; headers?: { Subject: PreparedHeader } } {
  const isSafe = !ASCII.test(subject) || !UNSAFE.test(subject) || (subject.length <= LINE && !subject.includes('=?'));
  return isSafe ? { subject } : { headers: { Subject: { prepared: true, value: encodedWords(subject) } } };
}

interface PreparedHeader {
  readonly prepared: true;
  readonly value: string;
}

function encodedWords(text: string): string {
  const words: string[] = [''];
  for (const letter of text) {
    const encoded = encodedLetter(letter);
    if ((words.at(-1) ?? '').length + encoded.length > LINE) words.push('');
    words[words.length - 1] += encoded;
  }
  return words.map((word) => `=?UTF-8?Q?${word}?=`).join('\r\n ');
}

function encodedLetter(letter: string): string {
  if (letter === ' ') return '_';
  if (/[A-Za-z0-9]/.test(letter)) return letter;
  return `=${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

import { printable, printableLines } from './printable.js';

describe('printable', () => {
  it.each([
    ['an escape sequence', '\u001b[2Ja', '\\u001b[2Ja'],
    ['its one-byte form', '\u009b2Ja', '\\u009b2Ja'],
    ['a carriage return', 'a\rb', 'a\\u000db'],
    ['a line break', 'a\nb', 'a\\u000ab'],
    ['a change of direction', 'a\u202eb', 'a\\u202eb'],
  ])('should show %s', (_case, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('should leave other texts', () => {
    expect(printable('Größe 日本 🎉 \\u001b')).toBe('Größe 日本 🎉 \\u001b');
  });

  it('should keep line breaks that are meant', () => {
    expect(printableLines('a\r\n\u0007b')).toBe('a\\u000d\n\\u0007b');
  });
});

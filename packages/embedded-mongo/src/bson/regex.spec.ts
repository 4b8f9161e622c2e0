import { compileRegex } from './regex.js';

const CASES: [pattern: string, options: string, text: string, found: boolean][] = [
  ['abc$', '', 'abc\n', true],
  ['abc$', '', 'abc\n\n', false],
  ['^b', '', 'a\nb', false],
  ['^b', 'm', 'a\nb', true],
  ['^b', 'm', 'a\rb', false],
  ['a$', 'm', 'a\nb', true],
  ['a$', 'm', 'a\rb', false],
  ['^$', 'm', 'a\n', false],
  ['a.b', '', 'a\nb', false],
  ['a.b', '', 'a\rb', true],
  ['a.b', 's', 'a\nb', true],
  ['a\\sb', '', 'a\u00a0b', false],
  ['a\\Sb', '', 'a\u00a0b', true],
  ['a[\\s\\S]b', '', 'a\u2028b', true],
  ['a[^\\s]b', '', 'a\u00a0b', true],
  ['a[.$^]b', '', 'a.b', true],
  ['a[.]b', '', 'axb', false],
  ['a\\.b', '', 'axb', false],
  ['[\\]x]', '', ']', true],
  ['x\\-y', '', 'x-y', true],
  ['(?<=a)b', '', 'ab', true],
  ['(?:a|b)$', '', 'b', true],
  ['ÄB', 'i', 'äb', true],
  ['😀.', '', '😀x', true],
];

describe('compileRegex', () => {
  it.each(CASES)('should read %j with options %j so that %j gives %s', (pattern, options, text, found) => {
    expect(compileRegex(pattern, options).test(text)).toBe(found);
  });

  it.each(['(?i)a', '[]', '[^]]', '[[:alpha:]]', '\\v', '\\Aa', '\\Qa\\E', 'a++', 'a{'])(
    'should refuse %j',
    (pattern) => {
      expect(() => compileRegex(pattern, '')).toThrow(/not supported/);
    },
  );
});

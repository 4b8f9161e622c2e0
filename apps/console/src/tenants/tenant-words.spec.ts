import { fieldWords } from './tenant-words.js';

it('should name the fields of data, and count those that it leaves out', () => {
  expect(fieldWords({})).toBe('');
  expect(fieldWords({ data: { logo: 'x', color: 'y' } })).toBe('logo, color');
  expect(fieldWords({ data: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 } })).toBe('a, b, c, d, e and 2 more');
});

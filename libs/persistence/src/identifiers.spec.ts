import { shortId, slugOf } from './identifiers.js';

describe('shortId', () => {
  it('should have the length and the letters that are asked for', () => {
    expect(shortId(10)).toMatch(/^[0-9a-z]{10}$/);
    expect(shortId(12, 'mixed')).toMatch(/^[0-9A-Za-z]{12}$/);
    expect(shortId(10)).not.toBe(shortId(10));
  });
});

describe('slugOf', () => {
  it.each([
    ['Order shipped!', 50, 'order-shipped'],
    ['Ümlaut & Co', 50, 'umlaut-and-co'],
    ['Order shipped', 5, 'order'],
    ['!!!', 50, ''],
  ])('should make a slug of %s', (text, maxLength, slug) => {
    expect(slugOf(text, maxLength)).toBe(slug);
  });
});

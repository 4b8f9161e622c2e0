import { canonicalLocale, directionOf, localeChain } from './locales.js';

describe('locales', () => {
  it.each([
    ['fr_CA', 'fr-CA'],
    ['DE-at', 'de-AT'],
    ['zh_hant_tw', 'zh-Hant-TW'],
    ['english', 'english'],
    ['e', undefined],
    ['', undefined],
    ['de-', undefined],
    ['../x', undefined],
    ['x'.repeat(40), undefined],
  ])('should write %s as %s', (text, expected) => {
    expect(canonicalLocale(text)).toBe(expected);
  });

  it('should fall back to the language', () => {
    expect(localeChain('de-AT')).toEqual(['de-AT', 'de']);
    expect(localeChain('zh-Hant-TW')).toEqual(['zh-Hant-TW', 'zh-Hant', 'zh']);
    expect(localeChain('de-AT-u-nu-latn')).toEqual(['de-AT-u-nu-latn', 'de-AT-u-nu', 'de-AT', 'de']);
  });

  it('should know what is written from right to left', () => {
    for (const locale of ['ar', 'ar-EG', 'he', 'fa-IR', 'ur', 'pa-Arab']) expect(directionOf(locale)).toBe('rtl');
    for (const locale of ['de', 'en-US', 'az-Latn', 'ur-Latn', 'und']) expect(directionOf(locale)).toBe('ltr');
  });
});

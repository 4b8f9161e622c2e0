import { withLanguage } from './email-layout.js';

const ARABIC = { lang: 'ar', dir: 'rtl' } as const;

describe('withLanguage', () => {
  it.each([
    ['<html><body>x</body></html>', '<html lang="ar" dir="rtl"><body lang="ar" dir="rtl">x</body></html>'],
    [
      `<!doctype html><HTML class='a>b' lang="en" dir=ltr><body style="color:red">x`,
      `<!doctype html><HTML lang="ar" dir="rtl" class='a>b'><body lang="ar" dir="rtl" style="color:red">x`,
    ],
    ['<p>x</p>', '<div lang="ar" dir="rtl"><p>x</p></div>'],
    ['<htmlx><p>x</p>', '<div lang="ar" dir="rtl"><htmlx><p>x</p></div>'],
    ['<body>x', '<body lang="ar" dir="rtl">x'],
    ['<html data-lang="en">', '<html lang="ar" dir="rtl" data-lang="en">'],
  ])('should mark %s', (html, expected) => {
    expect(withLanguage(html, ARABIC)).toBe(expected);
  });

  it('should change nothing without a language', () => {
    expect(withLanguage('<html>', undefined)).toBe('<html>');
  });
});

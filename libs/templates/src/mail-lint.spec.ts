import { lintMail } from './mail-lint.js';

const codesOf = (html: string): string[] => lintMail(html).map(({ code }) => code);

describe('lintMail', () => {
  it('should find nothing in a good mail', () => {
    const good =
      '<p>Hello</p><img src="https://x.test/a.png" alt=""><a href="https://x.test">Open</a><a href="mailto:a@x.test">Mail</a><a name="top"></a>';
    expect(lintMail(good)).toEqual([]);
  });

  it.each([
    ['an image without alternative text', '<img src="https://x.test/a.png">', 'image_without_alt'],
    ['a link without an address', '<a>Open</a>', 'link_without_target'],
    ['a link with an empty address', '<a href="">Open</a>', 'link_without_target'],
    ['an address that was never completed', '<a href=" https:// ">Open</a>', 'link_without_target'],
    ['a link to nothing on the page', '<a href="#">Open</a>', 'link_without_target'],
    ['a pale text', '<p style="color:#aaa">x</p>', 'low_contrast'],
    [
      'a button in a pale color',
      '<a href="https://x.test" style="background: #f47373; color: white">x</a>',
      'low_contrast',
    ],
    ['a text like what is behind it', '<table bgcolor="#111111"><tr><td>x</td></tr></table>', 'low_contrast'],
    ['more than Gmail shows', `<p>${'x'.repeat(104_500)}</p>`, 'too_large'],
    ['more than Gmail shows, in bytes', `<p>${'ü'.repeat(52_500)}</p>`, 'too_large'],
  ])('should find %s', (_case, html, code) => {
    expect(codesOf(html)).toEqual([code]);
  });

  it.each([
    ['a large text', '<h2 style="color:#777">x</h2><p style="font-size:24px;color:rgb(120, 120, 120)">x</p>'],
    ['what is hidden', '<div style="display:none;color:#fff"><b>x</b></div>'],
    ['a background that is not known', '<p style="background:url(x.png)"><b style="color:#fff">x</b></p>'],
    ['what comes after it was closed', '<p style="color:#fff"></p><br><p>x</p>'],
  ])('should not complain of the contrast of %s', (_case, html) => {
    expect(lintMail(html)).toEqual([]);
  });

  it('should name both colors', () => {
    expect(lintMail('<p style="color:#aaa">x</p>')[0]?.message).toBe(
      'Text in #aaaaaa on #ffffff is hard to read: its contrast is 2.3, and should be 4.5.',
    );
  });

  it('should tell what is the same once, and name what it is about', () => {
    const image = '<img src="https://x.test/a.png">';
    const [only, ...others] = lintMail(image + image);
    expect(only?.message).toContain('https://x.test/a.png');
    expect(others).toEqual([]);
    expect(codesOf('<!-- <img src="a"> --><p title="<a>">x</p>')).toEqual([]);
  });
});

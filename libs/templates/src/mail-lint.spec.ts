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
    ['more than Gmail shows', `<p>${'x'.repeat(104_500)}</p>`, 'too_large'],
    ['more than Gmail shows, in bytes', `<p>${'ü'.repeat(52_500)}</p>`, 'too_large'],
  ])('should find %s', (_case, html, code) => {
    expect(codesOf(html)).toEqual([code]);
  });

  it('should tell what is the same once, and name what it is about', () => {
    const image = '<img src="https://x.test/a.png">';
    const [only, ...others] = lintMail(image + image);
    expect(only?.message).toContain('https://x.test/a.png');
    expect(others).toEqual([]);
    expect(codesOf('<!-- <img src="a"> --><p title="<a>">x</p>')).toEqual([]);
  });
});

import { mailPage } from './mail-html.js';

describe('The page of a mail', () => {
  it.each([
    '<link rel="preconnect" href="https://tracker.example">',
    '<LINK\nrel=dns-prefetch href=//tracker.example>',
    '<svg><link/rel=preconnect href=//tracker.example></svg>',
    '<iframe srcdoc="&lt;link rel=preconnect href=//tracker.example>"></iframe>',
  ])('should have nothing that connects to another host: %s', (html) => {
    expect(mailPage(html)).not.toMatch(/<(?:link|iframe)/i);
    expect(mailPage(html)).toContain('<meta');
  });

  it('should leave the rest of the mail as it is', () => {
    const html = '<style>p{color:red}</style><p>See <a href="https://shop.example">links</a> &lt;link&gt; <linked>';
    expect(mailPage(html)).toMatch(/<meta http-equiv="x-dns-prefetch-control" content="off">/);
    expect(mailPage(html).endsWith(html)).toBe(true);
  });
});

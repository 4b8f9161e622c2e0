import { linkTarget } from './link-target.js';

describe('linkTarget', () => {
  it.each([
    ['https://shop.example/orders/4711?a=1&b=2#top', 'https://shop.example/orders/4711?a=1&b=2#top'],
    ['HTTP://Shop.Example:80', 'http://shop.example/'],
    [' https://shop.example/ ', 'https://shop.example/'],
    ['https://shop.example/größe?q=ä', 'https://shop.example/gr%C3%B6%C3%9Fe?q=%C3%A4'],
    ['https://xn--mnchen-3ya.example/', 'https://xn--mnchen-3ya.example/'],
  ])('should follow %j', (link, target) => {
    expect(linkTarget(link)).toBe(target);
    expect(linkTarget(target)).toBe(target);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'mailto:ada@example.com',
    'tel:+15550100',
    'myapp://orders/1',
    'blob:https://shop.example/1',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
    '//evil.example/x',
    '/\\evil.example',
    'https:\\\\evil.example',
    'https://shop.example\\@evil.example/',
    '/orders/1',
    'orders/1',
    '#top',
    '',
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'https://shop.example@evil.example/',
    'https://shop.example%40evil.example/',
    'https://münchen.example/',
    'https://shоp.example/',
    'https://shop.example／evil.example/',
    'https://shop。example/',
    'https://shop.example/\u202Egnp.exe',
    'https://shop.example/\u200Bx',
    'https://shop.example/\r\nSet-Cookie: a=b',
    'https://shop.example/\nx',
    'https://shop.example/a b',
    'https://shop.example/\u0000',
    'https://',
    'https://[::1',
    `https://shop.example/${'x'.repeat(2_000)}`,
    `https://shop.example/${'ä'.repeat(1_000)}`,
  ])('should leave %j alone', (link) => expect(linkTarget(link)).toBeUndefined());
});

import { safeImage, safeLink } from './safe-link.js';

describe('safeLink', () => {
  it.each([
    'https://example.com/a?b=c&amp;d=e',
    'http://example.com',
    '/orders/1',
    'orders/1',
    '?page=2',
    '#top',
    '//cdn.example/x',
    'mailto:a@example.com',
    'tel:+15550100',
    'myapp://orders/1',
    'com.example.app:/orders',
    '/javascript:alert(1)',
  ])('should keep %s', (url) => {
    expect(safeLink(url)).toBe(url);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    '  javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript\r:alert(1)',
    '\u0000javascript:alert(1)',
    '\u200bjavascript:alert(1)',
    'javascript&colon;alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A;avascript:alert(1)',
    '&amp;#106;avascript:alert(1)'.replace('&amp;', '&'),
    'java&Tab;script:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://example.com/1',
    'view-source:javascript:alert(1)',
    'file:///etc/passwd',
    '',
    ' ',
  ])('should refuse %j', (url) => {
    expect(safeLink(url)).toBeUndefined();
  });
});

describe('safeImage', () => {
  it('should also take pictures that stand in the link, but for those that can hold scripts', () => {
    const png = 'data:image/png;base64,iVBORw0KGgo=';
    expect([safeImage(png), safeImage('https://example.com/a.svg')]).toEqual([png, 'https://example.com/a.svg']);
    for (const url of ['data:image/svg+xml;base64,PHN2Zz4=', 'data:text/html,x', 'javascript:alert(1)']) {
      expect(safeImage(url)).toBeUndefined();
    }
  });
});

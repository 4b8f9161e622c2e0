import { withoutUrlSecrets } from './url-secrets.js';

describe('withoutUrlSecrets', () => {
  it.each([
    ['https://example.com/hooks/1', 'https://example.com/hooks/1'],
    ['https://example.com/h?token=abc&v=', 'https://example.com/h?token=********&v='],
    ['https://example.com/h?abc', 'https://example.com/h?********'],
    ['https://ann:pass@example.com/h', 'https://********@example.com/h'],
    ['https://ann:p@ss@example.com/h', 'https://********@example.com/h'],
    ['https://example.com/@ann?a=1#b=2', 'https://example.com/@ann?a=********#********'],
    ['HTTP://example.com?a=1?b=2', 'HTTP://example.com?a=********'],
    [
      'https://example.com/{{id}}?id={{ order.id }}&key=abc',
      'https://example.com/{{id}}?id={{ order.id }}&key=********',
    ],
    ['https://example.com/?a=b{{c}}', 'https://example.com/?a=********'],
    ['see https://example.com/?a=b', 'see https://example.com/?a=b'],
  ])('should show of %s: %s', (url, shown) => {
    expect(withoutUrlSecrets(url)).toBe(shown);
  });
});

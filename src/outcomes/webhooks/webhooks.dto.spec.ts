import { urlFaults } from './webhooks.dto.js';

describe('urlFaults', () => {
  it.each(['https://example.com', 'http://127.0.0.1:8080/hook?a=b', 'https://[::1]/x'])('should take %s', (url) => {
    expect(urlFaults(url, 'url')).toEqual([]);
  });

  it.each([undefined, null, 5, '', 'example.com', '/hook', 'ftp://example.com', 'javascript:alert(1)', 'http://'])(
    'should refuse %p',
    (url) => {
      expect(urlFaults(url, 'url')).toEqual(['url must be an http or https URL']);
    },
  );

  it('should refuse credentials and endless addresses', () => {
    expect(urlFaults('https://me:secret@example.com', 'url')).toEqual(['url must not hold a user name or password']);
    expect(urlFaults(`https://example.com/${'x'.repeat(2_048)}`, 'url')[0]).toContain('shorter');
  });
});

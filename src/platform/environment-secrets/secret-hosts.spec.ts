import { hostFaults, isAmongHosts, normalHost } from './secret-hosts.js';

describe('hosts of a secret', () => {
  it.each([
    ['crm.example.com', 'crm.example.com'],
    ['CRM.Example.COM', 'crm.example.com'],
    ['*.example.com', '*.example.com'],
    ['*.Bücher.example', '*.xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
  ])('should be written as URLs have them: %s', (text, normal) => {
    expect(normalHost(text)).toBe(normal);
  });

  it.each([
    '',
    '*',
    '*.',
    '*.com',
    '*.0.0.1',
    '*.[::1]',
    '*.*.example.com',
    'a*.example.com',
    'https://example.com',
    'example.com:8443',
    'example.com/path',
    'user@example.com',
    'example.com?x',
    'example.com#x',
    'example.com\\x',
    'a b',
    '::1',
  ])('should be refused: %s', (text) => {
    expect(normalHost(text)).toBeUndefined();
    expect(hostFaults([text], 'hosts')).toHaveLength(1);
  });

  it('should be a list that is neither empty nor long', () => {
    for (const value of [
      undefined,
      null,
      'example.com',
      [],
      Array.from({ length: 21 }, () => 'a.example'),
      [5],
      [null],
    ]) {
      expect(hostFaults(value, 'hosts')).not.toEqual([]);
    }
    expect(hostFaults(['a.example', '*.b.example'], 'hosts')).toEqual([]);
  });

  it.each([
    ['crm.example.com', true],
    ['a.wild.example.com', true],
    ['a.b.wild.example.com', true],
    ['wild.example.com', false],
    ['evilwild.example.com', false],
    ['.wild.example.com', false],
    ['crm.example.com.evil.example', false],
    ['evil-crm.example.com', false],
    ['example.com', false],
    ['crm.example.com.', false],
  ])('should be told from others: %s', (hostname, isAmong) => {
    expect(isAmongHosts(hostname, ['crm.example.com', '*.wild.example.com'])).toBe(isAmong);
  });
});

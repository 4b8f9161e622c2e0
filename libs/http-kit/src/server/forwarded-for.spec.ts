import { forwardedAddresses } from './forwarded-for.js';

describe('forwardedAddresses', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:1001', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['192.0.2.1:1, 192.0.2.2:2,192.0.2.3', '192.0.2.1, 192.0.2.2, 192.0.2.3'],
  ])('should take the ports from %j', (header, addresses) => {
    expect(forwardedAddresses(header)).toBe(addresses);
  });

  it.each(['', 'unknown', '_hidden', '192.0.2.1:port', '300.1.1.1', '1', 'a.example', '[x]:1', '192.0.2.1:1:1'])(
    'should find no address in %j',
    (header) => {
      expect(forwardedAddresses(header)).toBe('');
    },
  );

  it('should not take the word of somebody left of what is no address', () => {
    expect(forwardedAddresses('198.51.100.1, unknown')).toBe('');
    expect(forwardedAddresses('198.51.100.1, unknown, 192.0.2.2')).toBe('192.0.2.2');
  });
});

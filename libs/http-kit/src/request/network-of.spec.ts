import { networkOf } from './network-of.js';

const hosts = (prefix: string): string[] =>
  Array.from({ length: 5_000 }, (_unused, host) => `${prefix}${(host * 7_919 + 1).toString(16)}`);
const networksOf = (addresses: readonly string[]): number => new Set(addresses.map(networkOf)).size;

describe('networkOf', () => {
  it.each(['2001:db8::', 'fe80::', '2001:db8:1::', '2001:db8:1:2:', '2a01:4f8:c0c:1::', '2001:db8:0:0:1:2:3:'])(
    'should take all hosts below %s for one network',
    (prefix) => {
      const addresses = prefix.endsWith('1:2:') ? hosts(`${prefix}0:0:0:`) : hosts(prefix);
      expect(networksOf(addresses.filter((address) => (address.split(':').at(-1)?.length ?? 0) <= 4))).toBe(1);
    },
  );

  it('should give every notation of an address the same network', () => {
    const notations = ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8:0000:0000::0001', '2001:db8::1%eth0'];
    expect(notations.map(networkOf)).toEqual(notations.map(() => '2001:db8:0:0'));
  });

  it('should tell networks apart', () => {
    expect(networksOf(['2001:db8::1', '2001:db8:0:1::1', '2001:db8:1::1', '2001:db9::1'])).toBe(4);
  });

  it('should count each IPv4 address, however it is written', () => {
    expect(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'].map(networkOf)).toEqual(Array(3).fill('192.0.2.1'));
    expect(networkOf('192.0.2.2')).toBe('192.0.2.2');
  });

  it('should leave what is no address as it is', () => {
    expect(networkOf('unix:')).toBe('unix:');
  });
});

import type { LookupFunction } from 'node:net';
import { addressRule, guardedLookup, isPublicAddress } from './address-guard.js';
import { parseOutboundUrl } from './outbound-http.js';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '64:ff9b::808:808'])('should accept %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback, not the first', '127.8.9.10'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private 10', '10.0.0.1'],
    ['private 172.16', '172.16.5.4'],
    ['private 172.31', '172.31.255.255'],
    ['private 192.168', '192.168.1.1'],
    ['shared (CGNAT)', '100.64.0.1'],
    ['cloud metadata', '169.254.169.254'],
    ['cloud wire server', '168.63.129.16'],
    ['protocol assignments', '192.0.0.8'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '203.0.113.7'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '::1'],
    ['IPv6 unspecified', '::'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 link-local with zone', 'fe80::1%eth0'],
    ['IPv6 site-local', 'fec0::1'],
    ['IPv6 unique-local', 'fd00:ec2::254'],
    ['IPv6 multicast', 'ff02::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped in hex', '::ffff:7f00:1'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-translated', '::ffff:0:7f00:1'],
    ['NAT64 of loopback', '64:ff9b::7f00:1'],
    ['NAT64 of a private address', '64:ff9b::a00:1'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['Teredo', '2001:0:7f00:1::'],
    ['no address', 'localhost'],
    ['nothing', ''],
  ])('should refuse %s (%s)', (_name, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('parseOutboundUrl', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://0/',
    'http://①②⑦.⓪.⓪.①/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:0001]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1:8443/x',
    'http://user:password@example.com/',
    'http://user@example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'data:text/plain,x',
    '//example.com/',
    'example.com',
    'http://',
    'http://[::1%25lo]/',
    '',
  ])('should refuse %s', (url) => {
    expect(() => parseOutboundUrl(url, isPublicAddress)).toThrow(
      expect.objectContaining({ code: 'url_not_allowed', retryable: false }) as Error,
    );
  });

  it.each(['https://example.com/hook?x=1', 'http://example.com:8080/', 'https://8.8.8.8/'])(
    'should accept %s',
    (url) => {
      expect(parseOutboundUrl(url, isPublicAddress).href).toBe(url);
    },
  );

  it('should not repeat the path or the password in its refusal', () => {
    expect(() => parseOutboundUrl('http://me:secret-pass@example.com/secret-path', isPublicAddress)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') as string }) as Error,
    );
  });
});

describe('guardedLookup', () => {
  const resolvingTo =
    (...addresses: string[]): LookupFunction =>
    (_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  const run = (lookup: LookupFunction, all: boolean): Promise<unknown> =>
    new Promise((resolve) => {
      guardedLookup(isPublicAddress, lookup)('host.example', { all }, (error, ...found) => resolve(error ?? found));
    });

  it('should hand on checked addresses, all or the first', async () => {
    await expect(run(resolvingTo('8.8.8.8', '1.1.1.1'), false)).resolves.toEqual(['8.8.8.8', 4]);
    await expect(run(resolvingTo('8.8.8.8', '2606:4700::1'), true)).resolves.toEqual([
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
    ]);
  });

  const failing =
    (code: string): LookupFunction =>
    (host, _options, callback) =>
      callback(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code }), []);

  it('should not tell a private name from one that does not exist', async () => {
    const [inside, missing] = [await run(resolvingTo('10.0.0.1'), true), await run(failing('ENOTFOUND'), true)];
    expect(missing).toEqual(inside);
    expect({ ...(missing as object), message: (missing as Error).message }).toEqual({
      ...(inside as object),
      message: (inside as Error).message,
    });
    expect(inside).toMatchObject({
      code: 'url_not_allowed',
      retryable: true,
      message: expect.stringContaining("'host.example', which is unknown or not a public address.") as string,
    });
    expect(await run(failing('EAI_AGAIN'), true)).toMatchObject({ code: 'EAI_AGAIN' });
  });

  it('should say that a listed name does not exist', async () => {
    const rule = addressRule({ allowPrivateUrls: false, privateHosts: ['host.example'] });
    const found = await new Promise((resolve) => {
      guardedLookup(rule ?? isPublicAddress, failing('ENOTFOUND'))('host.example', { all: true }, resolve);
    });
    expect(found).toMatchObject({ code: 'ENOTFOUND' });
  });

  it.each([['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['2606:4700::1', '::1'], []])(
    'should refuse a name with a forbidden address or none (%s %s)',
    async (...addresses) => {
      await expect(run(resolvingTo(...addresses.filter(Boolean)), true)).resolves.toMatchObject({
        code: 'url_not_allowed',
      });
    },
  );
});

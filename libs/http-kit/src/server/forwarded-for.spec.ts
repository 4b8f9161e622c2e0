import { createServer } from 'node:http';
import { AppConfig } from '#libs/config';
import { AppLogger } from '../logging/app-logger.js';
import { forwardedAddresses, readForwardedFor } from './forwarded-for.js';

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

describe('readForwardedFor', () => {
  it.each([
    [false, ['warn']],
    [true, []],
  ])('should warn once where the header comes and no proxy is trusted; trusted: %s', (hasProxies, levels) => {
    const lines: string[] = [];
    const logger = new AppLogger(AppConfig.from({}), { write: (line) => void lines.push(line) });
    const server = createServer();
    readForwardedFor(server, hasProxies, logger);
    const requests = ['192.0.2.1:1', '192.0.2.2:2', undefined].map((header) => ({
      headers: { ...(header !== undefined && { 'x-forwarded-for': header }) },
    }));
    for (const request of requests) server.emit('request', request);
    expect(requests.map(({ headers }) => headers['x-forwarded-for'])).toEqual(['192.0.2.1', '192.0.2.2', undefined]);
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(levels);
  });
});

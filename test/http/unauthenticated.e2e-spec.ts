import { gzipSync } from 'node:zlib';
import { BodyReader } from '#libs/http-kit';
import type { TestSession } from '../harness/index.js';
import { RawConnection } from '../support/raw-connection.js';
import { useTestApi } from '../support/test-api.js';
import { PLATFORMS } from '../support/platforms.js';

describe.each(PLATFORMS)('on $HTTP_PLATFORM', (platform) => {
  const BOMB = gzipSync(Buffer.alloc(20_000_000, ' '));

  const api = useTestApi({ ...platform, RATE_LIMIT: '1', RATE_LIMIT_GLOBAL: '1' });
  let session: TestSession;
  let bodies: BodyReader;
  beforeAll(async () => {
    session = await api.session();
    bodies = api.app.get(BodyReader);
  });

  function head(path: string, length: number, ...more: string[]): string {
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: herald',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      ...more,
    ];
    return `${lines.join('\r\n')}\r\n\r\n`;
  }
  const statusOf = ({ answer }: RawConnection): number => Number(answer.slice(9, 12));

  /** Sends only the head of a request, and waits for its answer: what it is, is decided without the body. */
  async function withoutBody(path: string, ...headers: string[]): Promise<RawConnection> {
    const connection = await new RawConnection(api.url).send(head(path, 15_000_000, ...headers)).has('"path"');
    expect(bodies.budget.held).toBe(0);
    return connection;
  }

  describe('a request without a valid key', () => {
    it.each([
      ['without a key', 401, []],
      ['with a wrong key', 401, ['Authorization: ApiKey 0123456789abcdef0123456789abcdef']],
      ['without a key, as no JSON', 401, ['Content-Encoding: gzip', 'X-Type: text/plain']],
    ])('should be answered before its body has come: %s', async (_case, status, headers) => {
      const connection = await withoutBody('/v1/events/trigger', ...headers);
      expect(statusOf(connection)).toBe(status);
      connection.hangUp();
    });

    it('should be answered with 404 or 405 before its body has come where there is no such route', async () => {
      for (const [path, status] of [
        ['/v1/no-such-thing', 404],
        ['/v1/health-check', 405],
      ] as const) {
        const connection = await withoutBody(path);
        expect(statusOf(connection)).toBe(status);
        connection.hangUp();
      }
    });

    it('should be disconnected when its body continues after the answer', async () => {
      const connection = await withoutBody('/v1/events/trigger');
      connection.send('[1,');
      await connection.closed;
      expect(statusOf(connection)).toBe(401);
    });

    it('should let a client that sends all of its body use the connection again', async () => {
      const body = '{"name":"x"}';
      const connection = new RawConnection(api.url).send(head('/v1/feeds', body.length) + body);
      await connection.has('"path"');
      connection.send('GET /v1/health-check HTTP/1.1\r\nHost: herald\r\n\r\n');
      await connection.has('"status":"ok"');
      connection.hangUp();
    });

    it('should not be told to continue before its key was checked', async () => {
      const refused = await withoutBody('/v1/feeds', 'Expect: 100-continue');
      expect(refused.answer).not.toContain('100 Continue');
      expect(refused.answer).toContain('Connection: close');
      await refused.closed;

      const caller = await api.session();
      const body = '{"name":"Continued"}';
      const authorization = `Authorization: ApiKey ${caller.apiKey}`;
      const taken = new RawConnection(api.url).send(
        head('/v1/feeds', body.length, authorization, 'Expect: 100-continue'),
      );
      await taken.has('100 Continue');
      await taken.send(body).has('"Continued"');
      taken.hangUp();
    });

    it('should keep no bytes of a hundred packed bodies, and unpack none', async () => {
      const before = process.memoryUsage();
      const connections = await Promise.all(
        Array.from({ length: 100 }, () =>
          new RawConnection(api.url)
            .send(
              Buffer.concat([Buffer.from(head('/v1/events/trigger', BOMB.length + 1, 'Content-Encoding: gzip')), BOMB]),
            )
            .has('"path"'),
        ),
      );
      expect(bodies.budget.held).toBe(0);
      const { external, arrayBuffers } = process.memoryUsage();
      expect(external + arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(50_000_000);
      expect(connections.map(statusOf)).toEqual(connections.map(() => 401));
      for (const connection of connections) connection.hangUp();
    });

    it('should not hold up the process with a large body, whatever its charset', async () => {
      const keys = Array.from({ length: 300_000 }, (_, at) => `"${at}":1`).join();
      const body = gzipSync(Buffer.from(`{"\u2200":{${keys}}}`, 'utf16le'));
      const request = Buffer.concat([
        Buffer.from(
          head('/v1/events/trigger', body.length, 'Content-Encoding: gzip').replace('json', 'json; charset=utf-16le'),
        ),
        body,
      ]);
      const used = process.cpuUsage();
      const connection = await new RawConnection(api.url).send(request).has('"path"');
      expect(statusOf(connection)).toBe(401);
      // Reading it took more than a second before; generous, since everything else of the process counts as well.
      const { user, system } = process.cpuUsage(used);
      expect((user + system) / 1_000).toBeLessThan(500);
      connection.hangUp();
    });
  });

  describe('a request beyond the rate limit', () => {
    it('should be refused before its body has come', async () => {
      await Promise.all(Array.from({ length: 8 }, () => session.get('/v1/environments/me')));
      const authorization = `Authorization: ApiKey ${session.apiKey}`;
      const connection = await withoutBody('/v1/feeds', authorization, 'Content-Encoding: nonsense');
      expect(statusOf(connection)).toBe(429);
      connection.hangUp();
    });
  });

  describe('a callback of a provider', () => {
    it('should be refused before its body has come where no integration takes one', async () => {
      const connection = await withoutBody('/v1/provider-callbacks/0123456789abcdef01234567');
      expect(statusOf(connection)).toBe(404);
      connection.hangUp();
    });
  });
});

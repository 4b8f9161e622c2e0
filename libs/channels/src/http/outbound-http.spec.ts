import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { createOutboundHttp, hopAfter, type OutboundHttpOptions } from './outbound-http.js';
import type { OutboundHttp } from './outbound-http.types.js';
import { MAX_ANSWER_BYTES } from './response-body.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Every name resolves to the next of these addresses. */
function resolving(...addresses: string[]): LookupFunction {
  let calls = 0;
  return (_host, _options, callback) => {
    const address = addresses[Math.min(calls, addresses.length - 1)] ?? '127.0.0.1';
    calls += 1;
    callback(null, [{ address, family: 4 }]);
  };
}

describe('OutboundHttp', () => {
  const servers: Server[] = [];
  const clients: OutboundHttp[] = [];
  const hits: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

  async function serve(handler: Handler): Promise<number> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        hits.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        handler(request, response, body);
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  function client(options: Partial<OutboundHttpOptions> = {}): OutboundHttp {
    const http = createOutboundHttp({ allowPrivateUrls: false, ...options });
    clients.push(http);
    return http;
  }

  const onlyFirstLoopback = (address: string): boolean => address === '127.0.0.1';
  const redirectTo =
    (location: (port: number) => string, status = 307): Handler =>
    (request, response) =>
      response.writeHead(status, { location: location(request.socket.localPort ?? 0) }).end();

  beforeEach(() => hits.splice(0));
  afterAll(async () => {
    await Promise.all(clients.map((http) => http.close()));
    servers.forEach((server) => server.closeAllConnections());
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  describe('when the URL was given by a user', () => {
    it.each([
      'http://127.0.0.1',
      'http://localhost',
      'http://2130706433',
      'http://0x7f.1',
      'http://0177.0.0.1',
      'http://127.0.0.1.',
      'http://[::1]',
      'http://[::ffff:127.0.0.1]',
      'http://0',
    ])('should never reach %s', async (origin) => {
      const port = await serve((_request, response) => response.end('secret'));
      await expect(client().request({ url: `${origin}:${port}/` })).rejects.toMatchObject({
        code: 'url_not_allowed',
        // As a name that does not exist, which can come to exist.
        retryable: origin === 'http://localhost',
      });
      expect(hits).toHaveLength(0);
    });

    it.each(['inside.example', 'inside.example.', 'localhost.'])(
      'should refuse %s when it resolves to a private address',
      async (name) => {
        const port = await serve((_request, response) => response.end('secret'));
        const http = client({ lookup: resolving('127.0.0.1') });
        await expect(http.request({ url: `http://${name}:${port}/` })).rejects.toMatchObject({
          code: 'url_not_allowed',
        });
        expect(hits).toHaveLength(0);
      },
    );

    it('should connect to the address that was checked, resolving once per connection', async () => {
      const port = await serve((_request, response) => response.writeHead(200, { connection: 'close' }).end('ok'));
      const http = client({ lookup: resolving('127.0.0.1', '127.0.0.2'), isAllowedAddress: onlyFirstLoopback });
      await expect(http.request({ url: `http://rebind.example:${port}/` })).resolves.toMatchObject({
        status: 200,
        text: 'ok',
      });
      await expect(http.request({ url: `http://rebind.example:${port}/` })).rejects.toMatchObject({
        code: 'url_not_allowed',
      });
      expect(hits).toHaveLength(1);
    });

    it.each([
      ['another address', (port: number) => `http://127.0.0.2:${port}/inside`],
      ['an odd notation', (port: number) => `http://0x7f000002:${port}/inside`],
      ['an IPv6 address', (port: number) => `http://[::1]:${port}/inside`],
      ['another scheme', () => 'file:///etc/passwd'],
      ['user information', (port: number) => `http://a:b@127.0.0.1:${port}/`],
    ])('should check a redirect to %s', async (_name, location) => {
      const port = await serve(redirectTo(location));
      const http = client({ isAllowedAddress: onlyFirstLoopback });
      await expect(http.request({ url: `http://127.0.0.1:${port}/`, body: '{}' })).rejects.toMatchObject({
        code: 'url_not_allowed',
      });
      expect(hits).toHaveLength(1);
    });

    it('should follow three redirects and no more', async () => {
      const port = await serve((request, response) => {
        const left = Number(request.url?.slice(1));
        if (left === 0) response.end('there');
        else response.writeHead(302, { location: `/${left - 1}` }).end();
      });
      const http = client({ isAllowedAddress: onlyFirstLoopback });
      await expect(http.request({ url: `http://127.0.0.1:${port}/3` })).resolves.toMatchObject({ text: 'there' });
      await expect(http.request({ url: `http://127.0.0.1:${port}/4` })).rejects.toMatchObject({
        code: 'url_not_allowed',
      });
    });

    it.each([
      [301, 'POST', 'payload'],
      [302, 'POST', 'payload'],
      [303, 'GET', ''],
      [307, 'POST', 'payload'],
      [308, 'POST', 'payload'],
    ])('should repeat a POST after %s as %s', async (status, method, body) => {
      const port = await serve((request, response) => {
        if (request.url === '/new') response.end('done');
        else response.writeHead(status, { location: '/new' }).end();
      });
      await client({ allowPrivateUrls: true }).request({ url: `http://127.0.0.1:${port}/`, body: 'payload' });
      expect(hits[1]).toMatchObject({ method, body, url: '/new' });
    });

    it('should carry no body from https to http', () => {
      const hop = { method: 'POST', headers: {}, body: 'b', cutsBody: false, staysAtOrigin: false };
      const to = (from: string, location: string, status = 307, body: string | undefined = 'b') =>
        hopAfter({ ...hop, url: new URL(from), body }, { status, headers: { location } })?.url.href;
      for (const status of [301, 302, 307, 308]) {
        expect(() => to('https://a.example', 'http://a.example/x', status)).toThrow('without encryption');
        expect(() => to('https://a.example', 'http://b.example/x', status)).toThrow('without encryption');
      }
      expect(to('https://a.example', 'http://b.example/x', 303)).toBe('http://b.example/x');
      expect(to('https://a.example', 'https://b.example/x')).toBe('https://b.example/x');
      expect(to('http://a.example', 'https://a.example/x')).toBe('https://a.example/x');
    });

    it.each([301, 302, 307, 308])('should stay at its origin after %s where it has secrets', async (status) => {
      const second = await serve((_request, response) => response.end('ok'));
      const first = await serve((request, response) => {
        const location = request.url === '/' ? '/same' : `http://127.0.0.1:${second}/`;
        response.writeHead(status, { location }).end();
      });
      const call = {
        url: `http://127.0.0.1:${first}/`,
        body: 'secret',
        headers: { 'webhook-id': '1' },
        staysAtOrigin: true,
      };
      await expect(client({ allowPrivateUrls: true }).request(call)).rejects.toMatchObject({
        code: 'url_not_allowed',
        retryable: false,
        message: expect.stringContaining(`redirects the request to 'http://127.0.0.1:${second}'`) as string,
      });
      expect(hits.map(({ url }) => url)).toEqual(['/', '/same']);
    });

    it('should not carry secret headers to another host', async () => {
      const second = await serve((_request, response) => response.end('ok'));
      const first = await serve(redirectTo(() => `http://127.0.0.1:${second}/`));
      await client({ allowPrivateUrls: true }).request({
        url: `http://127.0.0.1:${first}/`,
        body: '{}',
        headers: {
          authorization: 'Bearer s',
          'x-my-key': 's',
          'x-signature-key': 's',
          'x-timestamp-token': 's',
          'content-type': 'application/json',
          'x-novu-signature': 'h',
        },
      });
      expect(hits[1]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-novu-signature': 'h' });
      expect(hits[1]?.headers).not.toHaveProperty('authorization');
      for (const name of ['x-my-key', 'x-signature-key', 'x-timestamp-token']) {
        expect(hits[1]?.headers).not.toHaveProperty(name);
      }
    });

    it('should reach private addresses when they are allowed', async () => {
      const port = await serve((_request, response) => response.writeHead(201, { 'X-Id': '7' }).end('{"a":1}'));
      const answer = await client({ allowPrivateUrls: true }).request({
        url: `http://localhost:${port}/p?q=1`,
        method: 'PUT',
        body: 'b',
      });
      expect(answer).toMatchObject({ status: 201, text: '{"a":1}' });
      expect(answer.headers['x-id']).toBe('7');
      expect(answer.json()).toEqual({ a: 1 });
      expect(hits[0]).toMatchObject({ method: 'PUT', url: '/p?q=1', body: 'b' });
    });
  });

  describe('when the URL is trusted', () => {
    it('should not be checked', async () => {
      const port = await serve((_request, response) => response.end('ok'));
      await expect(client().request({ url: `http://127.0.0.1:${port}/`, trusted: true })).resolves.toMatchObject({
        status: 200,
      });
    });

    it('should not be redirected', async () => {
      const port = await serve(redirectTo(() => '/elsewhere'));
      await expect(client().request({ url: `http://127.0.0.1:${port}/`, trusted: true })).resolves.toMatchObject({
        status: 307,
      });
      expect(hits).toHaveLength(1);
    });
  });

  describe('when the answer is unusual', () => {
    it('should give back nothing for a body that is no JSON', async () => {
      const port = await serve((_request, response) => response.end('<html>'));
      const answer = await client({ allowPrivateUrls: true }).request({ url: `http://127.0.0.1:${port}/` });
      expect(answer.json()).toBeUndefined();
    });

    it('should stop reading at the limit', async () => {
      const port = await serve((_request, response) => response.end(Buffer.alloc(MAX_ANSWER_BYTES + 1, 'x')));
      const url = `http://127.0.0.1:${port}/`;
      const http = client({ allowPrivateUrls: true });
      await expect(http.request({ url })).rejects.toMatchObject({ code: 'bad_answer' });
      await expect(http.request({ url, cutsBody: true })).resolves.toMatchObject({ status: 200 });
    });

    it('should keep the status of a failure whose page is endless', async () => {
      const port = await serve((_request, response) => {
        response.writeHead(503).end(Buffer.alloc(2 * MAX_ANSWER_BYTES, 'x'));
      });
      const answer = await client({ allowPrivateUrls: true }).request({ url: `http://127.0.0.1:${port}/` });
      expect(answer.status).toBe(503);
      expect(answer.text.length).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    });

    it('should give up when the time is over, in silence and in the middle of a body', async () => {
      const silent = await serve(() => undefined);
      const slow = await serve((_request, response) => response.writeHead(200).write('a'));
      const http = client({ allowPrivateUrls: true });
      for (const port of [silent, slow]) {
        await expect(
          http.request({ url: `http://127.0.0.1:${port}/secret-path`, timeoutMs: 60 }),
        ).rejects.toMatchObject({
          code: 'timeout',
          retryable: true,
          message: expect.not.stringContaining('secret-path') as string,
        });
      }
    });

    it('should stop when the caller aborts', async () => {
      const port = await serve(() => undefined);
      const controller = new AbortController();
      const asking = client({ allowPrivateUrls: true }).request({
        url: `http://127.0.0.1:${port}/`,
        signal: controller.signal,
      });
      controller.abort();
      await expect(asking).rejects.toMatchObject({ name: 'ProviderError', code: 'timeout' });
    });

    it('should wait for the answer that follows hints, and take them for none', async () => {
      const port = await serve((request, response) => {
        response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => {
          if (request.url === '/lost') request.socket.destroySoon();
          else response.writeHead(201).end('done');
        });
      });
      const http = client({ allowPrivateUrls: true });
      const url = `http://127.0.0.1:${port}`;
      await expect(http.request({ url })).resolves.toMatchObject({ status: 201, text: 'done', isCut: false });
      await expect(http.request({ url: `${url}/lost`, cutsBody: true })).rejects.toMatchObject({ code: 'unreachable' });
    });

    it('should join the values of a header that comes twice, and the parts of a body', async () => {
      const port = await serve((_request, response) => {
        response.writeHead(200, { 'x-part': ['a', 'b'] }).write('Grüß');
        setTimeout(() => response.end(' Gott'), 20);
      });
      const answer = await client({ allowPrivateUrls: true }).request({ url: `http://127.0.0.1:${port}/` });
      expect(answer).toMatchObject({ text: 'Grüß Gott', headers: { 'x-part': 'a, b' } });
    });

    it.each([
      ['accepted', 200, true],
      ['refused', 404, false],
    ])('should keep what was %s when the time ends in the middle of the body', async (_name, status, cutsBody) => {
      const port = await serve((_request, response) => response.writeHead(status).write('part'));
      const http = client({ allowPrivateUrls: true });
      const answer = await http.request({ url: `http://127.0.0.1:${port}/`, cutsBody, timeoutMs: 100 });
      expect(answer).toMatchObject({ status, text: 'part', isCut: true });
    });

    it('should call a closed port a fault that can pass', async () => {
      const port = await serve((request) => request.socket.destroy());
      const http = client({ allowPrivateUrls: true });
      await expect(http.request({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
        code: 'unreachable',
        retryable: true,
      });
      await expect(http.request({ url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({
        code: 'unreachable',
        retryable: true,
      });
    });
  });
});

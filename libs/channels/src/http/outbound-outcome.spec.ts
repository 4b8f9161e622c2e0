import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp } from './outbound-http.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe('what a failed request says of itself', () => {
  const servers: Server[] = [];
  const hits: string[] = [];
  const client = createOutboundHttp({ allowPrivateUrls: true });
  let slow = client;

  /** Answers when the request is there whole. */
  async function serve(handler: Handler): Promise<number> {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        hits.push(request.url ?? '');
        handler(request, response);
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  const redirectTo =
    (location: string, status: number): Handler =>
    (_request, response) =>
      response.writeHead(status, { location }).end();

  beforeEach(() => hits.splice(0));
  afterAll(async () => {
    await Promise.all([client.close(), slow.close()]);
    servers.forEach((server) => server.closeAllConnections());
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  it('should tell whether a byte of the request was written', async () => {
    const port = await serve((request) => request.socket.destroy());
    let writes = 0;
    const post = (url: string): Promise<unknown> => client.request({ url, body: 'x', onWrite: () => (writes += 1) });
    await expect(post('http://127.0.0.1:1/')).rejects.toMatchObject({ outcome: 'not_sent' });
    await expect(post('http://nobody.invalid/')).rejects.toMatchObject({ outcome: 'not_sent' });
    expect(writes).toBe(0);
    await expect(post(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ outcome: 'uncertain' });
    expect(writes).toBe(1);
  });

  it('should not write what was given up while it waited for a connection, and say so at once', async () => {
    const port = await serve((_request, response) => void response.end());
    let connect = (): void => undefined;
    const looksUp = new Promise<void>((lookedUp) => {
      slow = createOutboundHttp({
        allowPrivateUrls: true,
        lookup: (_host, _options, found) => {
          connect = () => void found(null, [{ address: '127.0.0.1', family: 4 }]);
          lookedUp();
        },
      });
    });
    const writes: string[] = [];
    const url = `http://slow.example:${port}`;
    const controller = new AbortController();
    const given = slow.request({
      url: `${url}/given-up`,
      body: 'x',
      signal: controller.signal,
      onWrite: () => writes.push('given up'),
    });
    await looksUp;
    controller.abort();
    await expect(given).rejects.toMatchObject({ code: 'timeout', outcome: 'not_sent' });
    const next = slow.request({ url: `${url}/next`, body: 'x', onWrite: () => writes.push('next') });
    connect();
    // It may look up once more, for a connection of its own.
    const again = setInterval(() => connect(), 10);
    await expect(next).resolves.toMatchObject({ status: 200 });
    clearInterval(again);
    expect(writes).toEqual(['next']);
    expect(hits).toEqual(['/next']);
    const aborted = slow.request({ url: `${url}/late`, body: 'x', signal: controller.signal });
    await expect(aborted).rejects.toMatchObject({ outcome: 'not_sent' });
    expect(hits).toEqual(['/next']);
  });

  it('should be sure that nothing was sent where the other side speaks no TLS', async () => {
    const port = await serve((_request, response) => void response.end());
    const sending = client.request({ url: `https://127.0.0.1:${port}/`, body: 'x' });
    await expect(sending).rejects.toMatchObject({ outcome: 'not_sent' });
  });

  it('should not repeat by itself what it has written', async () => {
    const port = await serve((request) => request.socket.destroy());
    const sending = client.request({
      url: `http://127.0.0.1:${port}/`,
      method: 'PUT',
      body: 'x',
    });
    await expect(sending).rejects.toMatchObject({ code: 'unreachable' });
    expect(hits).toHaveLength(1);
  });

  it.each([
    [307, 'not_sent'],
    [302, 'not_sent'],
  ])('should take a redirect for no acceptance: %s', async (status, outcome) => {
    const port = await serve(redirectTo('http://127.0.0.1:1/', status));
    const sending = client.request({ url: `http://127.0.0.1:${port}/`, body: 'x' });
    await expect(sending).rejects.toMatchObject({ outcome });
  });

  it('should give back 303 when what it leads to cannot be had: the request was worked on', async () => {
    const lost = await serve(redirectTo('http://127.0.0.1:1/', 303));
    const missing = await serve((request, response) =>
      request.method === 'GET' ? response.writeHead(404).end() : response.writeHead(303, { location: '/result' }).end(),
    );
    for (const port of [lost, missing]) {
      await expect(client.request({ url: `http://127.0.0.1:${port}/`, body: 'x' })).resolves.toMatchObject({
        status: 303,
      });
    }
  });
});

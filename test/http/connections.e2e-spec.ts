import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import request from 'supertest';
import { BodyReader } from '#libs/http-kit';
import type { TestApp } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { eventually } from '../support/eventually.js';
import { createCallbackIntegration, sendCallback, SIGN } from '../support/provider-callback.js';
import { RawConnection } from '../support/raw-connection.js';
import { startTestApi, useSession, useTestApi } from '../support/test-api.js';

describe('deadlines', () => {
  const api = useTestApi({ HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600' });
  const session = useSession(api);

  it('should end connections on which nothing comes', async () => {
    const connection = new RawConnection(api.url);
    await connection.closed;
    expect(connection.answer).toMatch(/^$|^HTTP\/1.1 408 /);
  });

  it('should end requests whose headers do not come to their end', async () => {
    const connection = new RawConnection(api.url).send('GET /v1/feeds HTTP/1.1\r\nHost: herald\r\nX-Slow: ');
    await connection.closed;
    expect(connection.answer).toContain('HTTP/1.1 408 ');
    expect(connection.answer).toContain('"code":"request_timeout"');
  });

  it('should end requests whose body does not come, with a key as well', async () => {
    const head = `POST /v1/feeds HTTP/1.1\r\nHost: herald\r\nContent-Type: application/json\r\nContent-Length: 20`;
    const connection = new RawConnection(api.url).send(`${head}\r\nAuthorization: ApiKey ${session.apiKey}\r\n\r\n{`);
    await connection.closed;
    expect(connection.answer).toContain('HTTP/1.1 408 ');
  });
});

describe('connections whose requests cannot be read', () => {
  it.each(['not HTTP\r\n\r\n', 'GET / HTTP/1.1\r\nHost: herald\r\nX-Slow: '])(
    'should end although their senders never hang up, after %j',
    async (text) => {
      const api = await startTestApi({ HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600' });
      const server = api.app.getHttpServer();
      const open = promisify(server.getConnections.bind(server));
      const sender = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1', allowHalfOpen: true });
      sender
        .on('error', () => undefined)
        .resume()
        .write(text);
      await once(sender, 'end');
      await eventually(async () => expect(await open()).toBe(0));
      sender.destroy();
      await api.close();
    },
  );
});

describe('the number of connections', () => {
  it.each(['MAX_CONNECTIONS', 'MAX_CONNECTIONS_PER_ADDRESS'])('should be limited by %s', async (setting) => {
    const api = await startTestApi({ [setting]: '2' });
    const ask = 'GET /v1/health-check HTTP/1.1\r\nHost: herald\r\n\r\n';
    const two = [new RawConnection(api.url), new RawConnection(api.url)];
    for (const connection of two) await connection.send(ask).has('"status":"ok"');
    const third = new RawConnection(api.url).send(ask);
    await third.closed;
    expect(third.answer).toBe('');

    two[0]?.hangUp();
    await two[0]?.closed;
    const next = await new RawConnection(api.url).send(ask).has('"status":"ok"');
    for (const connection of [...two, next]) connection.hangUp();
    await api.close();
  });
});

describe('requests that do not wait for answers', () => {
  const api = useTestApi({ ALLOW_PRIVATE_URLS: '1' });
  const session = useSession(api);

  const answersTo = async (count: number): Promise<number> => {
    const ask = 'GET /openapi.json HTTP/1.1\r\nHost: herald\r\n';
    const text = `${ask}\r\n`.repeat(count - 1) + `${ask}Connection: close\r\n\r\n`;
    const connection = new RawConnection(api.url).send(text);
    await connection.closed;
    return connection.answer.split('HTTP/1.1 200 OK').length - 1;
  };

  it('should be answered in their order', async () => {
    expect(await answersTo(5)).toBe(5);
  });

  it('should end their connection where they pile up', async () => {
    expect(await answersTo(100)).toBeLessThan(100);
  });

  it('should give back the room of their bodies when the connection ends before their turn', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { budget } = api.app.get(BodyReader);
    const post = (path: string, body: object): string => {
      const text = JSON.stringify(body);
      const head = `POST ${path} HTTP/1.1\r\nHost: herald\r\nAuthorization: ApiKey ${session.apiKey}`;
      return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    };
    const { port } = silent.address() as AddressInfo;
    const credentials = { host: '127.0.0.1', port: String(port), user: 'u', password: 'p', from: 'a@example.com' };
    const slow = {
      providerId: 'nodemailer',
      channel: 'email',
      check: true,
      credentials: { ...credentials, senderName: 'A' },
    };
    const asked = once(silent, 'connection');
    const connection = new RawConnection(api.url).send(
      post('/v1/integrations', slow) + post('/v1/tenants', { identifier: 'second', name: 'Second' }),
    );
    const [socket] = (await asked) as [Socket];
    await eventually(async () => expect(dataOf<unknown[]>(await session.get('/v1/tenants'))).toHaveLength(1));
    expect(budget.held).toBeGreaterThan(0);

    connection.hangUp();
    await eventually(() => expect(budget.held).toBe(0));
    socket.destroy();
    silent.close();
  });
});

describe('what a request says of the host', () => {
  const api = useTestApi({});
  const trusting = useTestApi({ TRUST_PROXY: 'loopback' });
  let at: string;
  let there: string;
  beforeAll(async () => {
    ({ at } = await createCallbackIntegration(await api.session(), 'twilio'));
    ({ at: there } = await createCallbackIntegration(await trusting.session(), 'twilio'));
  });

  const statusWith = async (to: TestApp, path: string, headers: string[]): Promise<number> => {
    const lines = [`POST ${path} HTTP/1.1`, 'Content-Length: 2', 'Connection: close', ...headers];
    const connection = await new RawConnection(to.url).send(`${lines.join('\r\n')}\r\n\r\n{}`).has('\r\n\r\n');
    return Number(connection.answer.slice(9, 12));
  };

  it.each(['[', 'a b', '%', 'x:y:z', 'evil:99999', 'a/b', '[::1', ''])(
    'should be no fault of ours when the host is %j',
    async (host) => {
      expect(await statusWith(api, at, [`Host: ${host}`])).toBe(400);
      expect(await statusWith(api, at, ['Host: herald', `X-Forwarded-Host: ${host}`])).toBe(401);
      if (host !== '') {
        expect(await statusWith(trusting, there, ['Host: herald', `X-Forwarded-Host: ${host}`])).toBe(400);
      }
    },
  );

  it('should be believed of a proxy only where it is trusted', async () => {
    const report = SIGN.twilio(`https://herald.example${there}`, { MessageSid: 'SM1', MessageStatus: 'delivered' });
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'herald.example' };
    await sendCallback(trusting, there, report).set(forwarded).expect(200);
    const distrusted = SIGN.twilio(`https://herald.example${at}`, { MessageSid: 'SM1', MessageStatus: 'delivered' });
    await sendCallback(api, at, distrusted).set(forwarded).expect(401);
  });

  it('should not matter to routes that do not look at it', async () => {
    await request(api.url).get('/v1/health-check').set('Host', '[').set('X-Forwarded-Proto', 'x').expect(200);
  });
});

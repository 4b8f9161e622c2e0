import request from 'supertest';
import { AppConfig } from '#libs/config';
import { platformOf } from '#libs/http-kit';
import { eventually } from '../support/eventually.js';
import { SocketClient } from '../support/live-clients.js';
import { PLATFORMS } from '../support/platforms.js';
import { useTestApi } from '../support/test-api.js';

describe.each(PLATFORMS)('Behind https://example.com/herald on $HTTP_PLATFORM', (platform) => {
  const api = useTestApi({ ...platform, PUBLIC_URL: 'https://example.com/herald' });
  const get = (path: string): request.Test => request(api.app.getHttpServer()).get(path);

  // Some proxies take the path off.
  describe.each(['', '/herald'])('whose proxy sends %j', (prefix) => {
    it.each(['/v1/health-check', '/openapi.json', '/api'])('should serve %s', async (path) => {
      await get(prefix + path).expect(200);
    });

    it('should lead to addresses below the path', async () => {
      const { body } = await get(prefix === '' ? '/' : prefix).expect(200);
      expect(body).toMatchObject({ documentation: '/herald/api', openApi: '/herald/openapi.json' });
      const { headers } = await get(`${prefix}/`).set('accept', 'text/html').expect(302);
      expect(headers['location']).toBe('/herald/api');
      const document = (await get(`${prefix}/openapi.json`)).body as { servers: unknown };
      expect(document.servers).toEqual([{ url: '/herald', description: 'This server' }]);
    });

    it('should answer errors with a link below the path, and with the path of the route', async () => {
      const { headers, body } = await get(`${prefix}/v1/feeds`).expect(401);
      expect(headers['link']).toMatch(/^<\/herald\/docs\/errors#/);
      expect(body).toMatchObject({ path: '/v1/feeds' });
    });

    it('should take the sockets of browsers', async () => {
      const options = { path: `${prefix}/socket.io/`, auth: { token: 'not a token' }, reconnection: false };
      const socket = new SocketClient(api, options);
      await eventually(() => expect(socket.ends).toEqual([expect.stringMatching(/^The session token is/)]));
      socket.close();
    });
  });

  it('should not take a path that only begins like it', async () => {
    await get('/heralds/v1/health-check').expect(404);
    await get('/herald/herald/v1/health-check').expect(404);
  });

  it('should not be started below a path of its own', () => {
    const own = platformOf(api.app)
      .routes()
      .map(({ path }) => path.split('/')[1] ?? '');
    const accepted = [...new Set(own)]
      .filter((name) => name !== '' && name !== '*')
      .filter((name) => {
        try {
          AppConfig.from({ PUBLIC_URL: `https://example.com/${name}` });
          return true;
        } catch {
          return false;
        }
      });
    expect(accepted).toEqual([]);
  });
});

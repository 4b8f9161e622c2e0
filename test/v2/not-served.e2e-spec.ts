import { PLATFORMS } from '../support/platforms.js';
import { methodsOfClient } from '../support/current-client.js';
import { useSession, useTestApi } from '../support/test-api.js';

const routes = methodsOfClient().flatMap(({ isServed, route }) => (isServed ? [] : [route]));
/** Other methods of this path are served. */
const REFUSED_METHOD = 'POST /v1/environments';

describe.each(PLATFORMS)('what is not served of later clients on $HTTP_PLATFORM', (platform) => {
  const api = useTestApi(platform);
  const session = useSession(api);

  it('should be answered with 501, one sentence and the page that says what is served', async () => {
    expect(routes.length).toBeGreaterThan(50);
    for (const route of routes.filter((one) => one !== REFUSED_METHOD)) {
      const [method = '', pattern = ''] = route.split(' ');
      const path = pattern.replace(/\{\w+\}/g, 'x');
      const { status, body, headers } = await session[method.toLowerCase() as 'get'](path);
      expect([route, status]).toEqual([route, 501]);
      expect(body).toMatchObject({
        code: 'route_not_served',
        message: `Herald does not serve ${method} ${path}; /docs/manual/clients#node-novuapi lists what it serves of later interfaces.`,
      });
      expect(headers['link']).toContain('/docs/errors#route_not_served');
    }
  });

  it('should be nothing else', async () => {
    const [method, path = ''] = REFUSED_METHOD.split(' ');
    expect(method).toBe('POST');
    await session.post(path).expect(405);
    for (const other of ['/v2/feeds', '/v2/workflows-of-mine', '/v1/environments/x', '/v1/agent'])
      await session.get(other).expect(404);
  });
});

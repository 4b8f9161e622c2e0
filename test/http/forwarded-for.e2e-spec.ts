import type { Test } from 'supertest';
import type { TestSession } from '../harness/index.js';
import { hmacOf, identifierOf, initialize } from '../support/browser-session.js';
import { PLATFORMS } from '../support/platforms.js';
import { useTestApi } from '../support/test-api.js';

describe.each(PLATFORMS)('X-Forwarded-For on $HTTP_PLATFORM', (platform) => {
  const api = useTestApi({ ...platform, TRUST_PROXY: 'loopback', SESSION_LIMIT_PER_ADDRESS: '2' });
  let session: TestSession;
  let applicationIdentifier: string;
  beforeAll(async () => {
    session = await api.session();
    applicationIdentifier = await identifierOf(session);
  });

  const openBehind = (forwarded: string): Test => {
    const sent = { applicationIdentifier, subscriberId: 'ada', hmacHash: hmacOf(session, 'ada') };
    return initialize(api, sent).set('X-Forwarded-For', forwarded);
  };

  it('should name one address, whatever port the proxy appends', async () => {
    await openBehind('198.51.100.4:1001').expect(201);
    await openBehind('198.51.100.4:1002').expect(201);
    await openBehind('198.51.100.4:1003').expect(429);
    await openBehind('198.51.100.4').expect(429);
    await openBehind('198.51.100.5:1001').expect(201);
  });

  it('should name one network of IPv6 addresses with ports', async () => {
    await openBehind('[2001:db8::1]:1001').expect(201);
    await openBehind('[2001:db8::2]:1002').expect(201);
    await openBehind('2001:db8::3').expect(429);
  });

  it('should name nobody where it holds no address: the connection counts', async () => {
    await openBehind('unknown').expect(201);
    await openBehind('203.0.113.1, _hidden').expect(201);
    await openBehind('something-else').expect(429);
  });
});

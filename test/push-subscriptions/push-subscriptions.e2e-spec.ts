import webPush from 'web-push';
import { type PushBrowser, pushBrowser } from '../../libs/channels/test/push-browser.js';
import { type RecordingServer, startRecordingServer } from '../../libs/channels/test/recording-server.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { type BrowserClient, browserOf } from '../support/browser-session.js';
import { createWorkflow, messagesOf, trigger } from '../support/delivery.js';
import { useHerald, useSession } from '../support/herald.js';

const SUBSCRIPTIONS = '/v1/inbox/push-subscriptions';
const KEYS = webPush.generateVAPIDKeys();

const herald = useHerald();
const session = useSession(herald);
let ada: BrowserClient;
beforeEach(async () => {
  ada = await browserOf(herald, session, 'ada');
});

const integrate = (): Promise<Json> =>
  dataOf(
    session.post('/v1/integrations', {
      channel: 'push',
      providerId: 'web-push',
      active: true,
      check: false,
      credentials: { applicationId: KEYS.publicKey, secretKey: KEYS.privateKey, from: 'mailto:ops@herald.example' },
    }),
    201,
  );
/** As `PushSubscription.toJSON()` makes it. */
const subscriptionOf = ({ token }: PushBrowser): Json => JSON.parse(token) as Json;
const endpoint = (name: string): string => `https://push.example.com/${name}`;
const register = (browser: BrowserClient, name: string): Promise<Json> =>
  dataOf(browser.post(SUBSCRIPTIONS, subscriptionOf(pushBrowser(endpoint(name)))), 201);
const tokensOf = async (subscriberId: string): Promise<string[]> => {
  const { channels } = await dataOf<{ channels: { providerId: string; credentials: { deviceTokens?: string[] } }[] }>(
    session.get(`/v1/subscribers/${subscriberId}`),
    200,
  );
  return channels.flatMap(({ providerId, credentials }) =>
    providerId === 'web-push' ? (credentials.deviceTokens ?? []) : [],
  );
};
const endpointsOf = async (subscriberId: string): Promise<unknown[]> =>
  (await tokensOf(subscriberId)).map((token) => (JSON.parse(token) as Json)['endpoint']);

describe('GET /v1/inbox/push-key', () => {
  it('should show the public key alone', async () => {
    expect(await codeOf(ada.get('/v1/inbox/push-key'), 400)).toBe('no_active_integration');
    await integrate();
    expect(await dataOf(ada.get('/v1/inbox/push-key'), 200)).toEqual({ publicKey: KEYS.publicKey });
  });
});

describe('POST /v1/inbox/push-subscriptions', () => {
  beforeEach(integrate);

  it('should add the browser to those of the subscriber', async () => {
    expect(await register(ada, 'one')).toEqual({ endpoint: endpoint('one') });
    await register(ada, 'two');
    expect(await endpointsOf('ada')).toEqual([endpoint('one'), endpoint('two')]);
  });

  it('should replace what the same browser registered before', async () => {
    await register(ada, 'one');
    const again = subscriptionOf(pushBrowser(endpoint('one')));
    for (let round = 0; round < 2; round++) await dataOf(ada.post(SUBSCRIPTIONS, again), 201);
    const [token, ...others] = await tokensOf('ada');
    expect(others).toEqual([]);
    expect(JSON.parse(token ?? '')).toEqual({ endpoint: again['endpoint'], keys: again['keys'] });
  });

  it('should keep the newest 20', async () => {
    const names = Array.from({ length: 22 }, (_, at) => `browser-${at}`);
    for (const name of names) await register(ada, name);
    expect(await endpointsOf('ada')).toEqual(names.slice(2).map(endpoint));
  });

  it.each([
    ['http', { endpoint: 'http://push.example.com/1' }, 'endpoint must be an https URL'],
    ['a loopback address', { endpoint: 'https://localhost/1' }, 'endpoint must be an https URL'],
    ['a password', { endpoint: 'https://a:b@push.example.com/1' }, 'endpoint must be an https URL'],
    ['a long endpoint', { endpoint: endpoint('x'.repeat(2_100)) }, 'endpoint must be shorter than or equal to 2048'],
    ['no endpoint', { endpoint: undefined }, 'endpoint is required and must be an https URL'],
    ['no keys', { keys: undefined }, 'keys is required and must be an object'],
    ['a short key', { keys: { p256dh: 'x', auth: 'y' } }, 'keys.p256dh must be 65 bytes in base64url'],
    ['an IPv4 address of this machine', { endpoint: 'https://127.0.0.1/1' }, 'endpoint must not be a private address'],
    ['a short IPv4 address', { endpoint: 'https://127.1/1' }, 'endpoint must'],
    ['an IPv6 address of this machine', { endpoint: 'https://[::1]/1' }, 'endpoint must not be a private address'],
    ['a mapped address', { endpoint: 'https://[::ffff:10.0.0.1]/1' }, 'endpoint must not be a private address'],
    ['metadata of a cloud', { endpoint: 'https://169.254.169.254/1' }, 'endpoint must not be a private address'],
    ['a private network', { endpoint: 'https://10.0.0.1/1' }, 'endpoint must not be a private address'],
    [
      'a key that is no point of the curve',
      { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'A'.repeat(22) } },
      'keys.p256dh must be a public key of the curve P-256',
    ],
    ['an operator', { keys: { p256dh: { $gt: '' }, auth: 'y' } }, 'keys.p256dh must be 65 bytes in base64url'],
  ])('should refuse %s', async (_name, wrong, fault) => {
    const sent = { ...subscriptionOf(pushBrowser(endpoint('one'))), ...wrong };
    expect((await faultsOf(ada.post(SUBSCRIPTIONS, sent))).join()).toContain(fault);
    expect(await tokensOf('ada')).toEqual([]);
  });
});

describe('DELETE /v1/inbox/push-subscriptions', () => {
  beforeEach(integrate);

  it('should remove the browser, of this subscriber alone', async () => {
    const bob = await browserOf(herald, session, 'bob');
    for (const client of [ada, bob]) await register(client, 'one');
    await register(ada, 'two');
    for (let round = 0; round < 2; round++) await ada.delete(SUBSCRIPTIONS, { endpoint: endpoint('one') }).expect(204);
    expect(await endpointsOf('ada')).toEqual([endpoint('two')]);
    expect(await endpointsOf('bob')).toEqual([endpoint('one')]);
    expect(await faultsOf(ada.delete(SUBSCRIPTIONS))).toContain('endpoint is required and must be an https URL');
  });
});

describe('push messages to browsers', () => {
  let server: RecordingServer;
  beforeEach(async () => {
    await integrate();
    server = await startRecordingServer();
    server.answer = ({ path }) => ({ status: path === '/gone' ? 410 : 201, body: '' });
  });
  afterEach(() => server.close());

  it('should arrive encrypted, and remove browsers that have unsubscribed', async () => {
    const [here, gone] = ['/here', '/gone'].map((path) => pushBrowser(server.url + path));
    // A loopback endpoint is not taken from browsers.
    const credentials = { deviceTokens: [here?.token, gone?.token] };
    await session.put('/v1/subscribers/ada/credentials', { providerId: 'web-push', credentials }).expect(200);
    const push = { template: { type: 'push', title: 'Hello {{subscriber.firstName}}', content: 'Order {{id}}' } };
    const { identifier } = await createWorkflow(session, [push]);
    const to = { subscriberId: 'ada', firstName: 'Ada' };
    const id = await trigger(session, { name: identifier, to, payload: { id: 7 } });
    await herald.drain();
    const body = server.requests.find(({ path }) => path === '/here')?.body ?? Buffer.alloc(0);
    expect(here?.read(body)).toMatchObject({ title: 'Hello Ada', body: 'Order 7', data: { id: 7 } });
    const statuses = (await messagesOf(session, id)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['error', 'sent']);
    expect(await tokensOf('ada')).toEqual([here?.token]);
  });
});

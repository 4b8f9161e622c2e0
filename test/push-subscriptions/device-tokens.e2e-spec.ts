import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { type BrowserClient, browserOf } from '../support/browser-session.js';
import { useHerald, useSession } from '../support/herald.js';

const DEVICES = '/v1/inbox/device-tokens';

const herald = useHerald();
const session = useSession(herald);
let ada: BrowserClient;
beforeEach(async () => {
  ada = await browserOf(herald, session, 'ada');
});

const integrate = (): Promise<Json> => {
  const credentials = { apiKey: 'expo-access-token' };
  const body = { channel: 'push', providerId: 'expo', active: true, check: false, credentials };
  return dataOf(session.post('/v1/integrations', body), 201);
};
const token = (name: string): string => `ExponentPushToken[${name}]`;
const device = (name: string): Json => ({ providerId: 'expo', deviceToken: token(name) });
const register = (browser: BrowserClient, name: string): Promise<Json> =>
  dataOf(browser.post(DEVICES, device(name)), 201);
const tokensOf = async (subscriberId: string): Promise<string[]> => {
  const { channels } = await dataOf<{ channels: { providerId: string; credentials: { deviceTokens?: string[] } }[] }>(
    session.get(`/v1/subscribers/${subscriberId}`),
    200,
  );
  return channels.flatMap(({ credentials }) => credentials.deviceTokens ?? []);
};

describe('POST /v1/inbox/device-tokens', () => {
  it('should add the device to those of the subscriber, once', async () => {
    await integrate();
    for (const name of ['one', 'two', 'one']) expect(await register(ada, name)).toEqual({ providerId: 'expo' });
    expect(await tokensOf('ada')).toEqual(['one', 'two'].map(token));
  });

  it('should keep the newest 20', async () => {
    await integrate();
    const names = Array.from({ length: 22 }, (_, at) => `phone-${at}`);
    for (const name of names) await register(ada, name);
    expect(await tokensOf('ada')).toEqual(names.slice(2).map(token));
  });

  it('should be refused without an active integration of the provider', async () => {
    expect(await codeOf(ada.post(DEVICES, device('one')), 400)).toBe('no_active_integration');
  });

  it.each([
    ['web push', { providerId: 'web-push' }, 'providerId must be one of the following values: apns, expo, fcm'],
    ['a provider whose targets are people', { providerId: 'pushpad' }, 'providerId must be one of'],
    ['a path', { deviceToken: '../device/other' }, 'deviceToken must be a token of letters, digits'],
    ['an empty token', { deviceToken: '' }, 'deviceToken must be a token'],
    ['a long token', { deviceToken: 'x'.repeat(4_097) }, 'deviceToken must be shorter than or equal to 4096'],
    ['no token', { deviceToken: undefined }, 'deviceToken is required'],
    ['an operator', { deviceToken: { $gt: '' } }, 'deviceToken must be a token'],
  ])('should refuse %s', async (_name, wrong, fault) => {
    await integrate();
    for (const call of ['post', 'delete'] as const)
      expect((await faultsOf(ada[call](DEVICES, { ...device('one'), ...wrong }))).join()).toContain(fault);
    expect(await tokensOf('ada')).toEqual([]);
  });
});

describe('DELETE /v1/inbox/device-tokens', () => {
  it('should remove the device, of this subscriber alone', async () => {
    await integrate();
    const bob = await browserOf(herald, session, 'bob');
    for (const client of [ada, bob]) await register(client, 'one');
    await register(ada, 'two');
    for (let round = 0; round < 2; round += 1) await ada.delete(DEVICES, device('one')).expect(204);
    expect(await tokensOf('ada')).toEqual([token('two')]);
    expect(await tokensOf('bob')).toEqual([token('one')]);
  });
});

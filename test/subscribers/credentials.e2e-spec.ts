import { SubscribersService, SuppressedAddresses } from '../../src/audience/subscribers/index.js';
import type { TenantContext } from '#libs/common';
import { discordFactory, fcmFactory } from '../factories/integration.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { seeded } from '../support/schedules.js';
import { tenantOf } from '../support/service-tenant.js';
import { useSession, useTestApi } from '../support/test-api.js';

const api = useTestApi();
const session = useSession(api);
let discord: Json;
let fcm: Json;
beforeEach(async () => {
  discord = await dataOf(session.post('/v1/integrations', discordFactory()), 201);
  fcm = await dataOf(session.post('/v1/integrations', fcmFactory()), 201);
  await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
});

const PATH = '/v1/subscribers/ann/credentials';
const put = (body: object): Promise<Json> => dataOf(session.put(PATH, body), 200);
const patch = (body: object): Promise<Json> => dataOf(session.patch(PATH, body), 200);
const push = (...deviceTokens: string[]): object => ({ providerId: 'fcm', credentials: { deviceTokens } });
const chat = (credentials: object, more: object = {}): object => ({ providerId: 'discord', credentials, ...more });
const channelsOf = ({ channels }: Json): { providerId: string; credentials: Json }[] =>
  channels as { providerId: string; credentials: Json }[];
const tokensOf = (subscriber: Json): unknown =>
  channelsOf(subscriber).find(({ providerId }) => providerId === 'fcm')?.credentials['deviceTokens'];
const stored = (): Promise<Json> => dataOf(session.get('/v1/subscribers/ann'), 200);
const tenant = (): TenantContext => tenantOf(session);

const ALL_KEYS = {
  webhookUrl: 'https://chat.example.com/hooks/ann',
  channel: 'general',
  alertUid: 'uid',
  title: 'Title',
  imageUrl: 'https://example.com/a.png',
  state: 'alerting',
  externalUrl: 'https://example.com/more',
  deviceTokens: ['a', 'b'],
};

describe('/v1/subscribers/{subscriberId}/credentials', () => {
  describe('PUT', () => {
    it('should keep all eight keys and name the integration on the entry', async () => {
      const subscriber = await put(chat(ALL_KEYS));
      expect(subscriber['channels']).toEqual([
        {
          providerId: 'discord',
          integrationIdentifier: discord['identifier'],
          _integrationId: discord['_id'],
          credentials: ALL_KEYS,
        },
      ]);
      expect(await stored()).toEqual(subscriber);
    });

    it.each([null, ''])('should replace given keys, keep the others and remove what is %j', async (channel) => {
      await put(chat({ webhookUrl: 'https://one.example', channel: 'a', deviceTokens: ['t'] }));
      const subscriber = await put(chat({ webhookUrl: 'https://two.example', channel }));
      expect(channelsOf(subscriber)[0]?.credentials).toEqual({
        webhookUrl: 'https://two.example',
        deviceTokens: ['t'],
      });
    });

    it('should replace device tokens, without repeats, and leave them where none are given', async () => {
      expect(tokensOf(await put(push('a', 'b', 'a')))).toEqual(['a', 'b']);
      expect(tokensOf(await put(push('c')))).toEqual(['c']);
      expect(tokensOf(await put({ providerId: 'fcm', credentials: { title: 'x' } }))).toEqual(['c']);
      expect(tokensOf(await put(push()))).toEqual([]);
    });

    it('should take values that a store might mistake for expressions', async () => {
      const odd = {
        webhookUrl: 'https://example.com/$channels',
        channel: '$$ROOT',
        title: '{"$gt":1}',
        deviceTokens: ['$a', '$$b.c'],
      };
      expect(channelsOf(await put(chat(odd)))[0]?.credentials).toEqual(odd);
      expect(channelsOf(await patch(chat({ ...odd, deviceTokens: ['$d'] })))[0]?.credentials).toEqual({
        ...odd,
        deviceTokens: ['$a', '$$b.c', '$d'],
      });
    });

    it('should keep an entry for each integration of a provider', async () => {
      const second = await dataOf(session.post('/v1/integrations', discordFactory({ identifier: 'second' })), 201);
      await put(chat({ webhookUrl: 'https://newest.example' }));
      const subscriber = await put(
        chat({ webhookUrl: 'https://first.example' }, { integrationIdentifier: discord['identifier'] }),
      );
      expect(subscriber['channels']).toMatchObject([
        { _integrationId: second['_id'], credentials: { webhookUrl: 'https://newest.example' } },
        { _integrationId: discord['_id'], credentials: { webhookUrl: 'https://first.example' } },
      ]);
    });

    it('should lose none of many writes at once', async () => {
      const valueOf = (key: string): string => (key === 'webhookUrl' ? 'https://example.com/hook' : `value of ${key}`);
      const keys = Object.keys(ALL_KEYS).filter((key) => key !== 'deviceTokens');
      await Promise.all([
        ...keys.map((key) => put(chat({ [key]: valueOf(key) }))),
        ...Array.from({ length: 13 }, (_, i) => patch(push(`token-${i}`))),
      ]);
      const subscriber = await stored();
      expect(channelsOf(subscriber).length).toBe(2);
      const chatEntry = channelsOf(subscriber).find(({ providerId }) => providerId === 'discord');
      expect(Object.keys(chatEntry?.credentials ?? {}).sort()).toEqual([...keys].sort());
      expect(new Set(tokensOf(subscriber) as string[]).size).toBe(13);
    });

    it('should answer 404 for an unknown subscriber, with and without an integration', async () => {
      const path = '/v1/subscribers/nobody/credentials';
      expect(await codeOf(session.put(path, push('a')), 404)).toBe('subscriber_not_found');
      expect(await codeOf(session.put(path, { providerId: 'slack', credentials: {} }), 404)).toBe(
        'subscriber_not_found',
      );
    });

    it.each([
      ['no integration of the provider', { providerId: 'slack', credentials: {} }],
      ['no such identifier', { providerId: 'discord', integrationIdentifier: 'other', credentials: {} }],
    ])('should answer 400 where there is %s', async (_case, body) => {
      expect(await codeOf(session.put(PATH, body), 400)).toBe('no_active_integration');
    });

    it('should answer 400 once the integration is inactive', async () => {
      await put(chat({ channel: 'x' }));
      await session.put(`/v1/integrations/${String(discord['_id'])}`, { active: false }).expect(200);
      expect(await codeOf(session.put(PATH, chat({ channel: 'y' })), 400)).toBe('no_active_integration');
    });

    it.each([
      ['nothing', {}, ['providerId is required and must be one of', 'credentials is required and must be an object']],
      ['null', { providerId: null, credentials: null }, ['providerId must be one of', 'credentials must be an object']],
      ['an email provider', { providerId: 'sendgrid', credentials: {} }, ['providerId must be one of']],
      ['an operator', { providerId: { $gt: '' }, credentials: {} }, ['providerId must be one of']],
      ['a list', { providerId: 'fcm', credentials: [] }, ['credentials must be an object']],
      ['a text', { providerId: 'fcm', credentials: 'x' }, ['credentials must be an object']],
      [
        'wrong types inside',
        { providerId: 'fcm', integrationIdentifier: 5, credentials: { deviceTokens: 'abc', title: {}, state: ['x'] } },
        [
          'integrationIdentifier must be a string',
          'credentials.deviceTokens must be an array',
          'credentials.title must be a string',
          'credentials.state must be a string',
        ],
      ],
      ['odd tokens', push(...([1, {}] as unknown as string[])), ['credentials.deviceTokens.0 must be a string']],
      ['an empty token', push(''), ['credentials.deviceTokens.0 must be longer than']],
      ['1,001 tokens', push(...Array.from({ length: 1_001 }, (_, i) => `t${i}`)), ['no more than 1000 elements']],
      ['a huge text', chat({ webhookUrl: 'x'.repeat(2_049) }), ['credentials.webhookUrl must be shorter']],
    ])('should refuse %s', async (_case, body, expected) => {
      const faults = await faultsOf(session.put(PATH, body));
      for (const fault of expected) expect(faults.join('\n')).toContain(fault);
    });
  });

  describe('PATCH', () => {
    it('should add device tokens that are new, in order', async () => {
      await put(push('identifier'));
      expect(tokensOf(await patch(push('token_1', 'identifier', 'token_1')))).toEqual(['identifier', 'token_1']);
    });

    it('should remove all tokens for an empty list, and accept new ones', async () => {
      await put(push('a'));
      expect(tokensOf(await patch(push()))).toEqual([]);
      expect(tokensOf(await patch(push('b')))).toEqual(['b']);
    });

    it('should let the oldest tokens give way beyond 1,000', async () => {
      await put(push(...Array.from({ length: 999 }, (_, i) => `old-${i}`)));
      const tokens = tokensOf(await patch(push('old-0', 'new-1', 'new-2'))) as string[];
      expect(tokens.length).toBe(1_000);
      expect(tokens.slice(-3)).toEqual(['old-0', 'new-1', 'new-2']);
      expect(tokens).not.toContain('old-1');
      expect(tokens).toContain('old-2');
      const full = Array.from({ length: 1_000 }, (_, i) => `full-${i}`);
      expect(tokensOf(await patch(push(...full)))).toEqual(full);
    });
  });

  describe('DELETE /{providerId}', () => {
    it('should remove all entries of the provider and no other', async () => {
      await session.post('/v1/integrations', discordFactory({ identifier: 'second' })).expect(201);
      await put(chat({ channel: 'a' }));
      await put(chat({ channel: 'b' }, { integrationIdentifier: discord['identifier'] }));
      await put(push('t'));
      await session.delete(`${PATH}/discord`).expect(204, {});
      expect(channelsOf(await stored()).map(({ providerId }) => providerId)).toEqual(['fcm']);
    });

    it('should answer 204 for a provider without entries', async () => {
      await session.delete(`${PATH}/carrier-pigeon`).expect(204);
    });

    it('should answer 404 for an unknown subscriber', async () => {
      await session.delete('/v1/subscribers/nobody/credentials/fcm').expect(404);
    });
  });

  describe('POST /v1/subscribers with channels', () => {
    it('should apply them like PATCH and show them in the answer', async () => {
      await put(push('a'));
      const channels = [push('b'), chat({ webhookUrl: 'https://x.example' }), push('c')];
      const subscriber = await dataOf(session.post('/v1/subscribers', { subscriberId: 'ann', channels }), 201);
      expect(tokensOf(subscriber)).toEqual(['a', 'b', 'c']);
      expect(channelsOf(subscriber).length).toBe(2);
      expect(await stored()).toEqual(subscriber);
    });

    it('should write nothing where an integration is missing', async () => {
      const channels = [push('a'), { providerId: 'slack', credentials: {} }];
      const body = { subscriberId: 'new', channels };
      expect(await codeOf(session.post('/v1/subscribers', body), 400)).toBe('no_active_integration');
      await session.get('/v1/subscribers/new').expect(404);
    });

    it('should begin without channels when a deleted id is used again', async () => {
      await put(push('a'));
      await session.delete('/v1/subscribers/ann').expect(200);
      const again = await dataOf(session.post('/v1/subscribers', { subscriberId: 'ann', channels: [push('b')] }), 201);
      expect(tokensOf(again)).toEqual(['b']);
    });
  });

  describe('POST /v1/subscribers/bulk with channels', () => {
    it('should link them, and refuse only the subscriber whose integration is missing', async () => {
      const subscribers = [
        { subscriberId: 'one', channels: [push('a')] },
        { subscriberId: 'two', channels: [{ providerId: 'slack', credentials: {} }] },
        { subscriberId: 'ann', channels: [chat({ channel: 'x' })] },
        { subscriberId: 'one', channels: [push('b')] },
      ];
      const result = await dataOf(session.post('/v1/subscribers/bulk', { subscribers }), 201);
      expect(result).toEqual({
        created: [{ subscriberId: 'one' }],
        updated: [{ subscriberId: 'ann' }, { subscriberId: 'one' }],
        failed: [{ subscriberId: 'two', message: expect.stringContaining('no active slack integration') as string }],
      });
      const made = await dataOf(session.get('/v1/subscribers/one'), 200);
      expect(made['channels']).toMatchObject([
        { _integrationId: fcm['_id'], credentials: { deviceTokens: ['a', 'b'] } },
      ]);
      await session.get('/v1/subscribers/two').expect(404);
    });
  });

  describe('for delivery', () => {
    const service = (): SubscribersService => api.app.get(SubscribersService);

    it('should remove tokens that a provider reported as dead', async () => {
      await put(push('a', 'b', 'c'));
      await put(chat({ deviceTokens: ['b'] }));
      await service().removeDeviceTokens(tenant(), 'ann', 'fcm', ['b', 'c', 'never']);
      const subscriber = await stored();
      expect(tokensOf(subscriber)).toEqual(['a']);
      expect(channelsOf(subscriber).find(({ providerId }) => providerId === 'discord')?.credentials).toEqual({
        deviceTokens: ['b'],
      });
    });

    it('should show a bad address until it changes or is cleared', async () => {
      await session.put('/v1/subscribers/ann', { email: 'ann@example.com', phone: '+1' }).expect(200);
      const state = { reason: 'Mailbox does not exist', since: new Date('2026-01-01T00:00:00Z') };
      const note = (channel: 'email' | 'sms', address: string): Promise<unknown> =>
        api.app.get(SuppressedAddresses).suppress(tenant(), channel, { address }, { kind: 'bounce', ...state });
      await note('email', 'former@example.com');
      expect(await stored()).not.toHaveProperty('addressStates');
      await note('email', 'ann@example.com');
      await note('sms', '+1');
      const shown = { reason: state.reason, since: state.since.toISOString() };
      expect((await stored())['addressStates']).toEqual({ email: shown, sms: shown });
      const resolved = await service().findByExternalIds(tenant(), ['ann']);
      expect(resolved.get('ann')?.badAddresses).toEqual({ email: state, sms: state });
      await session.put('/v1/subscribers/ann', { phone: '+2' }).expect(200);
      expect((await stored())['addressStates']).toEqual({ email: shown });
      await session.delete('/v1/subscribers/ann/address-states/email').expect(204);
      expect(await stored()).not.toHaveProperty('addressStates');
    });
  });
});

/** The store applies the rule to records, and the process to deliveries and dry runs with credentials of their own. */
describe('credentials of a trigger', () => {
  const SEED = 20_261_124;
  const random = seeded(SEED);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const tokens = (count: number): string[] => Array.from({ length: count }, () => `t${Math.floor(random() * 1_500)}`);
  const credentials = (): object => ({
    ...oneOf([{}, { webhookUrl: 'https://one.example' }, { webhookUrl: null }, { title: '$title', channel: 'a' }]),
    ...oneOf([{}, { deviceTokens: null }, { deviceTokens: [] }, { deviceTokens: ['t1', 't2', 't1'] }]),
    ...oneOf([{}, { deviceTokens: tokens(3) }, { deviceTokens: tokens(600) }, { deviceTokens: tokens(1_000) }]),
  });

  it('should be foreseen exactly as they would be stored', async () => {
    const subscribers = api.app.get(SubscribersService);
    for (let round = 0; round < 60; round += 1) {
      const subscriberId = oneOf(['ann', 'bob']);
      const channels = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
        providerId: oneOf(['discord', 'fcm']),
        credentials: credentials(),
      }));
      const foreseen = await subscribers.foresee(tenant(), [{ subscriberId, channels }]);
      await subscribers.create(tenant(), { subscriberId, channels });
      const kept = await subscribers.findByExternalIds(tenant(), [subscriberId]);
      expect(foreseen.get(subscriberId)?.subscriber.channels).toEqual(kept.get(subscriberId)?.channels);
    }
  });
});

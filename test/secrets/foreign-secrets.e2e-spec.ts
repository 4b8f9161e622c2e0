import { activeEmailFactory, discordFactory } from '../factories/integration.factory.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';
import type { TestSession } from '../harness/index.js';

const api = useHerald();
const session = useSession(api);

const VALUE = 'nvsk.0123456789abcdef0123456789abcdef:0123456789abcdef0123456789abcdef';
const REFUSED = /is encrypted by Novu \(nvsk\.\), .*: send the value itself, or take the database over with/;

describe('values that Novu has encrypted', () => {
  const refused = async (answer: ReturnType<TestSession['post']>, path: string): Promise<void> => {
    const faults = await faultsOf(answer);
    expect(faults).toContainEqual(expect.stringMatching(REFUSED));
    expect(faults.find((fault) => REFUSED.test(fault))?.split(' ')[0]).toBe(path);
    expect(faults.join()).not.toContain(VALUE);
  };

  it('should not become credentials of an integration', async () => {
    const sound = activeEmailFactory();
    const made = await dataOf<Json>(session.post('/v1/integrations', sound), 201);
    const credentials = { ...(sound['credentials'] as object), password: VALUE };
    await refused(session.post('/v1/integrations', { ...sound, credentials }), 'credentials.password');
    // Also where it is not used yet.
    const idle = { ...sound, credentials, active: false };
    await refused(session.post('/v1/integrations', idle), 'credentials.password');
    await refused(session.put(`/v1/integrations/${String(made['_id'])}`, { credentials }), 'credentials.password');
    const [, ...others] = (await dataOf<Json[]>(session.get('/v1/integrations'), 200)).filter(
      ({ channel }) => channel === 'email',
    );
    expect(others).toEqual([]);
  });

  it('should not become credentials of a subscriber', async () => {
    await session.post('/v1/integrations', discordFactory()).expect(201);
    const channel = { providerId: 'discord', credentials: { channel: VALUE } };
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    await refused(session.put('/v1/subscribers/ada/credentials', channel), 'credentials.channel');
    await refused(session.patch('/v1/subscribers/ada/credentials', channel), 'credentials.channel');
    await refused(
      session.post('/v1/subscribers', { subscriberId: 'bob', channels: [channel] }),
      'channels.0.credentials.channel',
    );
    await refused(
      session.post('/v1/events/trigger', { name: 'any', to: { subscriberId: 'bob', channels: [channel] } }),
      'to.channels.0.credentials.channel',
    );
  });

  it('should not become a secret of the environment', async () => {
    await refused(session.put('/v1/secrets/KEY', { value: VALUE, hosts: ['crm.example.com'] }), 'value');
    expect(await dataOf(session.get('/v1/secrets'), 200)).toEqual([]);
  });
});

import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, feedOf, inApp } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const delivery = useDelivery();
const session = useSession(delivery);
const STORED = { subscriberId: 'victim', firstName: 'Vic', email: 'victim@private.example', data: { plan: 'pro' } };
const GIVEN = {
  subscriberId: 'victim',
  firstName: 'Eve',
  email: 'evil@attacker.example',
  phone: '+15550009',
  data: {},
};

const keyWith = async (scopes: string[]): Promise<(path: string, body: Json) => ReturnType<TestSession['post']>> => {
  const { key } = await dataOf(session.post('/v1/environments/api-keys', { name: scopes.join(), scopes }), 201);
  return (path, body) => session.post(path, body).set('Authorization', `ApiKey ${String(key)}`);
};
const stored = (): Promise<Json> => dataOf(session.get('/v1/subscribers/victim'), 200);
const contents = async (): Promise<unknown[]> => (await feedOf(session, 'victim')).map(({ content }) => content);

describe('what a key without the scope write says of subscribers', () => {
  let name: string;
  let before: Json;
  beforeEach(async () => {
    before = await dataOf(session.post('/v1/subscribers', STORED), 201);
    const content = '{{subscriber.firstName}} {{subscriber.email}} {{actor.firstName}}';
    name = (await createWorkflow(session, [inApp(content), delay(), inApp(content)])).identifier;
  });

  it('should hold for its event alone, also after a wait, and be stored nowhere else', async () => {
    const post = await keyWith(['trigger']);
    await post('/v1/events/trigger', { name, to: GIVEN, actor: { ...GIVEN, firstName: 'Actor' } }).expect(201);
    await delivery.drain(10 * 60_000);
    expect(await contents()).toEqual(Array(2).fill('Eve evil@attacker.example Actor'));
    expect(await stored()).toEqual(before);
    await post('/v1/events/trigger', { name, to: 'victim', actor: 'other' }).expect(201);
    await delivery.drain();
    expect((await contents())[0]).toBe('Vic victim@private.example ');
  });

  it.each([null, ''])('should take away for its event alone what is %j', async (nothing) => {
    const post = await keyWith(['trigger']);
    const to = { subscriberId: 'victim', firstName: nothing, email: nothing };
    await post('/v1/events/trigger', { name, to, actor: 'other' }).expect(201);
    await delivery.drain(10 * 60_000);
    expect(await contents()).toEqual(Array(2).fill('  '));
    expect(await stored()).toEqual(before);
  });

  it('should not be stored by bulk, broadcasts, topics, actors and dry runs either', async () => {
    const post = await keyWith(['trigger', 'read']);
    await session.post('/v1/topics', { key: 'news', name: 'News' }).expect(201);
    await session.post('/v1/topics/news/subscribers', { subscribers: ['victim'] }).expect(200);
    await post('/v1/events/trigger/bulk', { events: [{ name, to: [GIVEN, 'new'], actor: 'other' }] }).expect(201);
    await post('/v1/events/trigger', { name, to: [{ type: 'Topic', topicKey: 'news' }, GIVEN], actor: GIVEN }).expect(
      201,
    );
    await post('/v1/events/trigger/broadcast', { name, payload: {}, actor: GIVEN }).expect(201);
    const dry = await dataOf<{ recipients: Json[] }>(
      post('/v1/events/trigger/dry-run', { name, to: GIVEN, actor: 'other' }),
      200,
    );
    expect(JSON.stringify(dry)).toContain('evil@attacker.example');
    expect(JSON.stringify(dry)).not.toContain('"update"');
    await delivery.drain(10 * 60_000);
    expect(await stored()).toEqual(before);
    const made = await dataOf(session.get('/v1/subscribers/new'), 200);
    expect(made).not.toHaveProperty('email');
  });

  it('should make a subscriber of an unknown id without what it says', async () => {
    const post = await keyWith(['trigger']);
    await post('/v1/events/trigger', { name, to: { ...GIVEN, subscriberId: 'unknown' }, actor: 'other' }).expect(201);
    await delivery.drain();
    expect((await feedOf(session, 'unknown'))[0]?.content).toBe('Eve evil@attacker.example ');
    expect(await dataOf(session.get('/v1/subscribers/unknown'), 200)).not.toHaveProperty('email');
  });

  it('should be stored for a key that may write, as before', async () => {
    const post = await keyWith(['trigger', 'write']);
    await post('/v1/events/trigger', { name, to: GIVEN, actor: 'other' }).expect(201);
    await delivery.drain();
    expect(await stored()).toMatchObject({ firstName: 'Eve', email: 'evil@attacker.example' });
  });
});

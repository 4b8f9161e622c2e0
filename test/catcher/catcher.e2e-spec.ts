import type { TestSession } from '../harness/index.js';
import { activeEmailFactory } from '../factories/integration.factory.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { startRecordingServer } from '../../libs/channels/test/recording-server.js';
import { codeOf, dataOf, faultsOf, type Json, pageOf } from '../support/answers.js';
import { createWorkflow, email, inApp, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';

const CATCHER = '/v1/catcher';
const CAUGHT = '/v1/catcher/messages';

const delivery = useDelivery();
let session: TestSession;
let production: TestSession;
beforeEach(async () => {
  [session, production] = await delivery.siblings();
});

const STEPS = [
  { template: { type: 'in_app', title: 'On its way', content: 'Order {{order}}' } },
  email('Order {{order}}', '<p>On its way to {{subscriber.firstName}}</p>'),
  { template: { type: 'sms', content: 'Order {{order}}' } },
  { template: { type: 'chat', content: 'Order {{order}}' } },
  { template: { type: 'push', title: 'Order', content: 'Order {{order}}' } },
];
const ADA = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com', phone: '+15551230100' };

const turn = (isOn: boolean): Promise<Json> => dataOf(session.put(CATCHER, { isOn }), 200);
const integrate = (body: object): Promise<Json> => dataOf(session.post('/v1/integrations', body), 201);
const shownList = async (query = ''): Promise<Json[]> => (await pageOf(session.get(`${CAUGHT}?${query}`))).data;

async function send(more: Partial<Parameters<typeof trigger>[1]> = {}, steps: object[] = STEPS): Promise<string> {
  const { identifier } = await createWorkflow(session, steps as typeof STEPS);
  const id = await trigger(session, { name: identifier, to: ADA, payload: { order: 7 }, ...more });
  await delivery.drain();
  return id;
}

/** The caught message of a channel, whole. */
async function caughtOn(channel: string): Promise<Json> {
  const [listed] = await shownList(`channel=${channel}`);
  return dataOf(session.get(`${CAUGHT}/${String(listed?.['_id'])}`), 200);
}

describe('the switch', () => {
  const channelsOf = ({ channels }: Json): string[] =>
    (channels as { channel: string; isOn: boolean }[]).flatMap(({ channel, isOn }) => (isOn ? [channel] : []));

  it('should catch every channel, and leave the other integrations as they are', async () => {
    const own = await integrate(activeEmailFactory());
    expect(await dataOf(session.get(CATCHER), 200)).toMatchObject({ isOn: false, isAllowed: true });
    const on = await turn(true);
    expect(on).toMatchObject({ isOn: true });
    expect(channelsOf(on)).toEqual(['email', 'sms', 'chat', 'push']);
    expect(await turn(true)).toEqual(on);
    const off = await turn(false);
    expect(off).toMatchObject({ isOn: false });
    expect(channelsOf(off)).toEqual([]);
    expect(channelsOf(await turn(true))).toEqual(channelsOf(on));
    await turn(false);
    const integrations = await dataOf<Json[]>(session.get('/v1/integrations'), 200);
    expect(integrations).toHaveLength(5);
    expect(integrations.filter(({ active }) => active)).toEqual([own]);
  });

  it('should be on only where every channel is caught', async () => {
    await integrate({ providerId: 'catcher-sms', channel: 'sms', active: true });
    const half = await dataOf(session.get(CATCHER), 200);
    expect(half).toMatchObject({ isOn: false });
    expect(channelsOf(half)).toEqual(['sms']);
    await turn(true);
    expect(await dataOf<Json[]>(session.get('/v1/integrations'), 200)).toHaveLength(4);
  });

  it('should be refused in production', async () => {
    expect(await dataOf(production.get(CATCHER), 200)).toMatchObject({ isOn: false, isAllowed: false });
    expect(await codeOf(production.put(CATCHER, { isOn: true }), 403)).toBe('catcher_in_production');
    await production.put(CATCHER, { isOn: false }).expect(200);
    const catcher = { providerId: 'catcher-email', channel: 'email' };
    expect(await codeOf(production.post('/v1/integrations', { ...catcher, active: true }), 403)).toBe(
      'catcher_in_production',
    );
    const { _id } = await dataOf(production.post('/v1/integrations', catcher), 201);
    const path = `/v1/integrations/${String(_id)}`;
    expect(await codeOf(production.put(path, { active: true }), 403)).toBe('catcher_in_production');
    expect(await codeOf(production.post(`${path}/set-primary`), 403)).toBe('catcher_in_production');
  });

  it('should take no conditions, and nothing but true or false', async () => {
    const conditions = [
      { value: 'AND', children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' }] },
    ];
    const body = { providerId: 'catcher-email', channel: 'email', conditions };
    expect(await faultsOf(session.post('/v1/integrations', body))).toEqual([
      'conditions must be empty: a catcher takes the messages of all tenants',
    ]);
    expect(await faultsOf(session.put(CATCHER, { isOn: 'yes' }))).toEqual(['isOn must be a boolean value']);
  });

  it('should be in the audit log', async () => {
    await turn(true);
    const { entries } = await dataOf<{ entries: Json[] }>(session.get('/v1/audit-log?resourceType=catcher'), 200);
    expect(entries).toMatchObject([{ action: 'switchCatcher', outcome: 'done' }]);
  });
});

describe('what is caught', () => {
  it('should be the messages of all channels, without any other integration', async () => {
    await turn(true);
    const id = await send();
    expect(await notificationOf(session, id)).toMatchObject({ status: 'completed' });
    const listed = await shownList();
    expect(listed.map(({ channel }) => channel).sort()).toEqual(['chat', 'email', 'in_app', 'push', 'sms']);
    for (const one of listed) {
      expect(one).toMatchObject({ transactionId: id, subscriberId: 'ada', subscriberName: 'Ada' });
      expect(one).not.toHaveProperty('insteadOf');
    }
    expect(await caughtOn('email')).toMatchObject({
      to: ['ada@example.com'],
      from: 'nobody@example.com',
      subject: 'Order 7',
      html: expect.stringContaining('On its way to Ada') as string,
      text: 'On its way to Ada',
    });
    const sms = await caughtOn('sms');
    expect(sms).toMatchObject({ to: ['+15551230100'], text: 'Order 7', summary: 'Order 7' });
    expect(sms).not.toHaveProperty('from');
    expect(await caughtOn('chat')).toMatchObject({ to: [], text: 'Order 7' });
    expect(await caughtOn('push')).toMatchObject({ to: [], title: 'Order', text: 'Order 7', summary: 'Order' });
    expect(await caughtOn('in_app')).toMatchObject({ to: [], title: 'On its way', text: 'Order 7' });
    const messages = await messagesOf(session, id);
    expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'sent'));
    expect(messages.some((message) => 'caught' in message)).toBe(false);
  });

  it('should be what other integrations would have sent, and reach none of them', async () => {
    const http = await startRecordingServer();
    try {
      const webhook = { webhookUrl: `${http.url}/hook`, secretKey: 'k' };
      const sms = { baseUrl: `${http.url}/sms`, apiKeyRequestHeader: 'x-key', apiKey: 'key', idPath: 'id', from: '+1' };
      const mail = { ...webhook, from: 'shop@example.com', senderName: 'Shop' };
      const conditions = [
        { value: 'AND', children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' }] },
      ];
      await integrate({ providerId: 'email-webhook', channel: 'email', active: true, credentials: mail });
      await integrate({
        providerId: 'email-webhook',
        channel: 'email',
        identifier: 'of-acme',
        active: true,
        conditions,
        credentials: { ...mail, from: 'acme@example.com' },
      });
      await integrate({ providerId: 'generic-sms', channel: 'sms', active: true, credentials: sms });
      await integrate({ providerId: 'mattermost', channel: 'chat', active: true, credentials: {} });
      const whatsApp = { apiToken: 'token', phoneNumberIdentification: '1' };
      const byPhone = await integrate({
        providerId: 'whatsapp-business',
        channel: 'chat',
        active: true,
        credentials: whatsApp,
      });
      await integrate({ providerId: 'push-webhook', channel: 'push', active: true, credentials: webhook });
      await turn(true);
      await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
      const channels = [
        { providerId: 'mattermost' as const, credentials: { webhookUrl: `${http.url}/chat` } },
        { providerId: 'push-webhook' as const, credentials: { deviceTokens: ['token-1'] } },
      ];
      const file = { file: Buffer.from('12345').toString('base64'), name: 'a.txt', mime: 'text/plain' };
      const id = await send({
        to: { ...ADA, channels },
        tenant: 'acme',
        payload: { order: 7, attachments: [file] },
        overrides: {
          'email-webhook': { replyTo: 'support@example.com' },
          email: { cc: ['cc@example.com'], bcc: ['bcc@example.com'], headers: { 'X-Order': '7' } },
          mattermost: { icon_emoji: 'box' },
          'push-webhook': { badge: 3 },
        },
      });
      expect(http.requests).toEqual([]);
      expect(await caughtOn('email')).toMatchObject({
        insteadOf: 'email-webhook',
        from: 'acme@example.com',
        senderName: 'Shop',
        cc: ['cc@example.com'],
        bcc: ['bcc@example.com'],
        replyTo: 'support@example.com',
        headers: { 'X-Order': '7' },
        attachments: [{ name: 'a.txt', mime: 'text/plain', bytes: 5 }],
      });
      expect(await caughtOn('sms')).toMatchObject({ insteadOf: 'generic-sms', from: '+1' });
      expect(await caughtOn('push')).toMatchObject({ to: ['token-1'], insteadOf: 'push-webhook', extra: { badge: 3 } });
      const chats = await Promise.all(
        (await shownList('channel=chat')).map(({ _id }) => dataOf(session.get(`${CAUGHT}/${String(_id)}`), 200)),
      );
      expect(chats).toHaveLength(2);
      expect(chats).toContainEqual(
        expect.objectContaining({ to: ['127.0.0.1:' + new URL(http.url).port], extra: { icon_emoji: 'box' } }),
      );
      expect(chats).toContainEqual(expect.objectContaining({ to: ['+15551230100'], insteadOf: 'whatsapp-business' }));
      const messages = await messagesOf(session, id);
      expect(new Set(messages.map(({ providerId }) => providerId))).toEqual(
        new Set(['novu', 'catcher-email', 'catcher-sms', 'catcher-chat', 'catcher-push']),
      );
      await session.delete(`/v1/integrations/${String(byPhone['_id'])}`).expect(200);
      await turn(false);
      await send({ to: { ...ADA, channels } });
      expect(http.requests.map(({ path }) => path).sort()).toEqual(['/chat', '/hook', '/hook', '/sms']);
    } finally {
      await http.close();
    }
  });

  it('should include what a trigger sends through an integration that it names', async () => {
    const credentials = {
      webhookUrl: 'https://example.com',
      secretKey: 'k',
      from: 'named@example.com',
      senderName: 'N',
    };
    await integrate(activeEmailFactory());
    await integrate({ providerId: 'email-webhook', channel: 'email', identifier: 'named', active: true, credentials });
    await turn(true);
    const steps = [email('Hello', '<p>Hello</p>')];
    await send({ overrides: { email: { integrationIdentifier: 'named' } } }, steps);
    expect(await caughtOn('email')).toMatchObject({ from: 'named@example.com', insteadOf: 'email-webhook' });
    const id = await send({ overrides: { email: { integrationIdentifier: 'nobody' } } }, steps);
    expect(await notificationOf(session, id)).toMatchObject({ jobs: [{ status: 'failed' }] });
    expect(await shownList()).toHaveLength(1);
  });

  it('should be nothing that could not have been sent', async () => {
    await turn(true);
    const id = await send({ to: 'nobody' }, STEPS.slice(1, 3));
    expect(await shownList()).toEqual([]);
    const { jobs } = await notificationOf(session, id);
    expect(jobs.map(({ status }) => status)).toEqual(['skipped', 'skipped']);
  });

  it('should be no mail of the console', async () => {
    await turn(true);
    const invited = session.post('/v1/users/invitations', { email: 'alan@example.com', role: 'viewer' });
    expect(await dataOf(invited, 201)).toMatchObject({ mail: 'no_integration' });
    expect(await shownList()).toEqual([]);
  });

  it('should be foretold by a dry run', async () => {
    await integrate(activeEmailFactory({ identifier: 'real' }));
    await turn(true);
    const { identifier } = await createWorkflow(session, [email('Hello', '<p>Hello</p>')]);
    const answer = await dataOf(session.post('/v1/events/trigger/dry-run', { name: identifier, to: ADA }), 200);
    expect(JSON.stringify(answer)).toContain('"identifier":"catcher-email"');
    const [recipient] = answer['recipients'] as { steps: { integrations: Json[]; messages: Json[] }[] }[];
    const [step] = recipient?.steps ?? [];
    expect(step?.integrations).toMatchObject([
      { identifier: 'catcher-email', isChosen: true },
      { identifier: 'real', isChosen: false },
    ]);
    expect(step?.messages).toMatchObject([{ from: 'hello@example.com' }]);
    expect(await shownList()).toEqual([]);
  });
});

describe('the list', () => {
  it('should be newest first, by channel and by subscriber, and only of its environment', async () => {
    await turn(true);
    await send();
    await delivery.clock.advance(1_000);
    const bob = await send({ to: { ...ADA, subscriberId: 'bob' } }, [inApp('Hello'), email('Hello', '<p>Hello</p>')]);
    const all = await shownList('limit=100');
    expect(all).toHaveLength(7);
    expect(all.slice(0, 2).every(({ transactionId }) => transactionId === bob)).toBe(true);
    expect(await shownList('subscriberId=bob')).toHaveLength(2);
    expect(await shownList('subscriberId=bob&channel=email')).toMatchObject([{ channel: 'email', summary: 'Hello' }]);
    expect(await shownList('limit=2&page=3')).toHaveLength(1);
    expect(await codeOf(session.get(`${CAUGHT}?subscriberId=nobody`), 404)).toBe('subscriber_not_found');
    expect(await faultsOf(session.get(`${CAUGHT}?channel=fax`))).toHaveLength(1);
    const path = `${CAUGHT}/${String(all[0]?.['_id'])}`;
    expect(await codeOf(production.get(path), 404)).toBe('caught_message_not_found');
    expect((await pageOf(production.get(CAUGHT))).data).toEqual([]);
    expect(await codeOf(session.get(`${CAUGHT}/${UNKNOWN_ID}`), 404)).toBe('caught_message_not_found');
  });

  it('should lack what was sent, and what was deleted', async () => {
    const steps = [inApp('Hello')];
    const sent = await send({}, steps);
    const [message] = await messagesOf(session, sent);
    expect(await codeOf(session.get(`${CAUGHT}/${message?._id ?? ''}`), 404)).toBe('caught_message_not_found');
    await turn(true);
    await send({}, steps);
    const [caught] = await shownList();
    await session.delete(`/v1/messages/${String(caught?.['_id'])}`).expect(200);
    expect(await shownList()).toEqual([]);
  });
});

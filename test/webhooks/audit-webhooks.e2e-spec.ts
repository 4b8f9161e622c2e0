import { TestSession } from '../harness/index.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { useDelivery, useSession } from '../support/herald.js';
import { joined } from '../support/signed-in-browser.js';
import { createReceiver, type Receiver } from '../support/webhook-receiver.js';

const AUDIT = 'audit.recorded';
const BODY = { url: 'https://example.com/hook', events: ['message.sent', AUDIT] };

describe('a webhook that hears the audit log', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let writer: TestSession;
  let hook: Receiver;

  beforeEach(async () => {
    const scopes = ['trigger', 'read', 'write'];
    const { key } = await dataOf<{ key: string }>(
      session.post('/v1/environments/api-keys', { name: 'writer', scopes }),
      201,
    );
    writer = new TestSession(session.baseUrl, { ...session, apiKey: key });
    hook = await createReceiver(session, [AUDIT]);
  });
  afterEach(() => hook.server.close());

  const sent = (): Promise<void> => delivery.drain(0, 'WebhookWorker');
  const addEntry = async (): Promise<void> => {
    await session.post('/v1/feeds', { name: 'News' }).expect(201);
    await sent();
  };
  const heard = (): unknown[] => hook.bodies().map(({ type }) => type);

  it('should be made, changed and removed with the scope admin only', async () => {
    await addEntry();
    const [row] = await hook.deliveries();
    const calls = [
      writer.post('/v1/webhooks', BODY),
      writer.patch(hook.path, { url: 'https://example.com/mine' }),
      writer.patch(hook.path, { events: ['message.sent'] }),
      writer.patch(hook.path, { active: false }),
      writer.patch(hook.path, { active: true }),
      writer.patch(hook.path, {}),
      writer.get(`${hook.path}/secret`),
      writer.post(`${hook.path}/secret/rotate`),
      writer.post(`${hook.path}/deliveries/${String(row?.['_id'])}/replay`),
      writer.delete(hook.path),
    ];
    for (const call of calls) expect(await codeOf(call, 403)).toBe('scope_missing');
    expect(await dataOf(session.get(hook.path), 200)).toMatchObject({ events: [AUDIT], active: true });
    await session.patch(hook.path, { description: 'Archive' }).expect(200);
    await session.post(`${hook.path}/deliveries/${String(row?.['_id'])}/replay`).expect(202);
    await session.delete(hook.path).expect(204);
  });

  it('should not come of a webhook that heard other events', async () => {
    const { _id } = await dataOf(writer.post('/v1/webhooks', { ...BODY, events: ['message.sent'] }), 201);
    expect(await codeOf(writer.patch(`/v1/webhooks/${String(_id)}`, { events: [AUDIT] }), 403)).toBe('scope_missing');
    await writer.patch(`/v1/webhooks/${String(_id)}`, { active: false }).expect(200);
    const editor = await joined(session, 'editor');
    expect(await codeOf(editor.post('/v1/webhooks', BODY), 403)).toBe('scope_missing');
    const owner = await joined(session, 'owner');
    await owner.post('/v1/webhooks', BODY).expect(201);
  });

  it('should show its entries to nobody without the scope admin', async () => {
    await addEntry();
    const dataIn = async (by: TestSession): Promise<unknown[]> => {
      const rows = await dataOf<Json[]>(by.get(`${hook.path}/deliveries`), 200);
      return rows.filter(({ type }) => type === AUDIT).map(({ data }) => data);
    };
    const shown = await dataIn(session);
    expect(shown).not.toEqual([]);
    for (const data of shown) expect(data).toHaveProperty('entry.action');
    const hidden = await dataIn(writer);
    expect(hidden).toHaveLength(shown.length);
    for (const data of hidden) expect(data).toEqual({});
  });

  it('should hand no entry to an address that others give it later', async () => {
    await addEntry();
    const [row] = await hook.deliveries();
    const before = heard().length;
    await session.patch(hook.path, { events: ['message.sent'] }).expect(200);
    await writer.patch(hook.path, { url: `${hook.server.url}/mine` }).expect(200);
    expect(await codeOf(writer.post(`${hook.path}/deliveries/${String(row?.['_id'])}/replay`), 403)).toBe(
      'scope_missing',
    );
    // Nor what an owner sends again without looking where it goes.
    await session.post(`${hook.path}/deliveries/${String(row?.['_id'])}/replay`).expect(202);
    await sent();
    expect(heard()).toHaveLength(before);
    expect((await hook.deliveries())[0]).toMatchObject({
      status: 'failed',
      lastError: 'The webhook no longer hears audit.recorded.',
    });
  });
});

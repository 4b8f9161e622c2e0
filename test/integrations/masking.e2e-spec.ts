import { TestSession } from '../harness/index.js';

import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { useSession, useTestApi } from '../support/test-api.js';

const PATH = '/v1/integrations';
const MASKED = '********';
const CREDENTIALS = {
  host: '127.0.0.1',
  port: '587',
  user: 'mail-user',
  password: 'mail-password',
  from: 'hello@example.com',
  senderName: 'Example',
  secure: false,
  requireTls: true,
  callbackSecret: 'callback-secret',
  tlsOptions: { rejectUnauthorized: false, key: 'private-key', ca: ['authority-1', 'authority-2'] },
};
const SHOWN = {
  ...CREDENTIALS,
  user: MASKED,
  password: MASKED,
  callbackSecret: MASKED,
  tlsOptions: { rejectUnauthorized: false, key: MASKED, ca: [MASKED, MASKED] },
};
const MAIL = { providerId: 'nodemailer', channel: 'email', active: true, credentials: CREDENTIALS };

const open = useTestApi({});
const masking = useTestApi({ MASK_CREDENTIALS: '1' });
const admin = useSession(open);

async function limited(scopes = ['trigger', 'read', 'write']): Promise<TestSession> {
  const made = await dataOf<{ key: string }>(admin.post('/v1/environments/api-keys', { name: 'ci', scopes }), 201);
  return new TestSession(open.url, { ...admin, apiKey: made.key });
}
/** The credentials of the one integration, as they are kept. */
const stored = async (): Promise<unknown> => {
  const integrations = await dataOf<Json[]>(admin.get(PATH), 200);
  expect(integrations).toHaveLength(1);
  return integrations[0]?.['credentials'];
};

describe.each([
  ['keys without the scope admin', limited],
  ['every key where MASK_CREDENTIALS is set', () => Promise.resolve(new TestSession(masking.url, admin))],
])('credentials for %s', (_case, caller) => {
  it('should be masked in every answer, and stay what they are in type', async () => {
    const session = await caller();
    const made = await dataOf(session.post(PATH, MAIL), 201);
    const one = `${PATH}/${String(made['_id'])}`;
    const other = await dataOf(session.post(PATH, { ...MAIL, active: false }), 201);
    const shown = [
      made,
      other,
      await dataOf(session.put(one, { name: 'New' }), 200),
      await dataOf(session.post(`${one}/set-primary`), 200),
      ...(await dataOf<Json[]>(session.get(PATH), 200)),
      ...(await dataOf<Json[]>(session.get(`${PATH}/active`), 200)),
      ...(await dataOf<Json[]>(session.delete(`${PATH}/${String(other['_id'])}`), 200)),
    ];
    expect(shown.map(({ credentials }) => credentials)).toEqual(shown.map(() => SHOWN));
    expect(await stored()).toEqual(CREDENTIALS);
  });

  it('should change nothing when they are written back as they were read', async () => {
    const session = await caller();
    const made = await dataOf(session.post(PATH, MAIL), 201);
    const one = `${PATH}/${String(made['_id'])}`;
    const [read] = await dataOf<Json[]>(session.get(PATH), 200);
    await dataOf(session.put(one, { ...read, name: 'Same' }), 200);
    expect(await stored()).toEqual(CREDENTIALS);
    // What does not say where secrets are sent may change beside them.
    const renamed = { ...SHOWN, from: 'new@example.com', senderName: 'New' };
    await dataOf(session.put(one, { credentials: renamed }), 200);
    expect(await stored()).toEqual({ ...CREDENTIALS, from: 'new@example.com', senderName: 'New' });
  });

  it('should be changed by values in clear', async () => {
    const session = await caller();
    const made = await dataOf(session.post(PATH, MAIL), 201);
    const credentials = { ...CREDENTIALS, host: '127.0.0.2', password: 'other' };
    const answer = await dataOf(session.put(`${PATH}/${String(made['_id'])}`, { credentials }), 200);
    expect(answer).toMatchObject({ credentials: { host: '127.0.0.2', password: MASKED } });
    expect(await stored()).toEqual(credentials);
  });

  it('should never go to another place than they did', async () => {
    const session = await caller();
    const made = await dataOf(session.post(PATH, MAIL), 201);
    const one = `${PATH}/${String(made['_id'])}`;
    const diversions: Json[] = [
      { host: 'evil.example' },
      { port: '25' },
      { requireTls: false },
      { secure: 'true' },
      { ignoreTls: true },
      { tlsOptions: { ...SHOWN.tlsOptions, rejectUnauthorized: true } },
      { baseUrl: 'https://evil.example' },
      { webhookUrl: 'https://evil.example' },
      { host: null },
    ];
    for (const change of diversions) {
      const faults = await faultsOf(session.put(one, { credentials: { ...SHOWN, ...change }, check: true }));
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^credentials.${Object.keys(change)[0] ?? ''} `))]);
    }
    expect(await stored()).toEqual(CREDENTIALS);
  });

  it('should not be made of a mask', async () => {
    const session = await caller();
    const text = 'is masked: send the value itself';
    expect(await faultsOf(session.post(PATH, { ...MAIL, credentials: SHOWN }))).toContain(
      `credentials.password ${text}`,
    );
    const made = await dataOf(session.post(PATH, { ...MAIL, credentials: { ...CREDENTIALS, password: '' } }), 201);
    const one = `${PATH}/${String(made['_id'])}`;
    expect(await faultsOf(session.put(one, { credentials: SHOWN }))).toEqual([`credentials.password ${text}`]);
  });
});

describe('credentials for a key with the scope admin', () => {
  it('should be shown as they were sent', async () => {
    const reader = await limited(['admin', 'read', 'write']);
    const made = await dataOf(reader.post(PATH, MAIL), 201);
    expect(made['credentials']).toEqual(CREDENTIALS);
    expect(await dataOf(reader.get(PATH), 200)).toMatchObject([{ credentials: CREDENTIALS }]);
  });

  it('should be masked where an address is a URL with a secret', async () => {
    const credentials = { webhookUrl: 'https://hooks.example/T0/secret', baseUrl: 'https://user:pass@example.com/' };
    await dataOf(admin.post(PATH, { providerId: 'slack', channel: 'chat', credentials }), 201);
    const [shown] = await dataOf<Json[]>((await limited()).get(PATH), 200);
    expect(shown?.['credentials']).toEqual({ webhookUrl: MASKED, baseUrl: MASKED });
    expect(await dataOf(admin.get(PATH), 200)).toMatchObject([{ credentials }]);
  });

  it('should not be had from an answer that was kept for an Idempotency-Key', async () => {
    const [reader, key] = [await limited(), 'shared-idempotency-key'];
    const made = await dataOf(admin.post(PATH, MAIL), 201);
    const path = `${PATH}/${String(made['_id'])}/set-primary`;
    const first = await admin.post(path, {}).set('Idempotency-Key', key).expect(200);
    expect(first.text).toContain(CREDENTIALS.password);
    const { body, text } = await reader.post(path, {}).set('Idempotency-Key', key).expect(422);
    expect(body).toMatchObject({ code: 'idempotency_key_reused' });
    expect(text).not.toContain(CREDENTIALS.password);
    await admin.post(path, {}).set('Idempotency-Key', key).expect('Idempotency-Replay', 'true').expect(200);
  });
});

describe('the signing secret of a webhook', () => {
  const HOOK = { url: 'https://example.com/hook', events: ['message.sent'] };

  it('should be shown when it is made, and read by keys with the scope admin only', async () => {
    const writer = await limited();
    const made = await dataOf<{ _id: string; secret: string }>(writer.post('/v1/webhooks', HOOK), 201);
    expect(made.secret).toMatch(/^whsec_/);
    const path = `/v1/webhooks/${made._id}/secret`;
    await writer.get(path).expect(403);
    await writer.post(`${path}/rotate`).expect(403);
    expect(await dataOf(admin.get(path), 200)).toEqual({ secret: made.secret });
  });

  it('should be shown only when it is made where MASK_CREDENTIALS is set', async () => {
    const session = new TestSession(masking.url, admin);
    const made = await dataOf<{ _id: string; secret: string }>(session.post('/v1/webhooks', HOOK), 201);
    expect(made.secret).toMatch(/^whsec_/);
    const path = `/v1/webhooks/${made._id}/secret`;
    expect(await dataOf(session.get(path), 200)).toEqual({ secret: MASKED });
    expect((await dataOf(session.post(`${path}/rotate`), 201))['secret']).toMatch(/^whsec_/);
  });
});

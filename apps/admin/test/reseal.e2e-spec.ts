import { Types } from 'mongoose';
import { AppConfig } from '#libs/config';
import { SecretBox, StoreKeyError } from '#libs/secrets';
import type { TestApp, TestSession } from '../../../test/harness/index.js';
import { dataOf } from '../../../test/support/answers.js';
import { clientOf } from '../../../test/support/client.js';
import { keyIdOf, SealedStore, sealUnbound } from '../../../test/support/sealed-store.js';
import { startTestApi } from '../../../test/support/test-api.js';
import { type ResealOptions, type ResealReport, runReseal } from '../src/keys/reseal-command.js';

const OLD = 'the former key of 32 or more characters';
const NEW = 'the current key of 32 or more characters';
const ROTATING = { STORE_ENCRYPTION_KEY: NEW, STORE_ENCRYPTION_OLD_KEYS: OLD };

let sealed: SealedStore;
beforeEach(async () => {
  sealed = await SealedStore.open('reseal');
});
afterEach(() => sealed.close());

const start = (settings: Record<string, string>): Promise<TestApp> => startTestApi(settings, sealed.store);
const run = (
  settings: Record<string, string> = ROTATING,
  options: Partial<ResealOptions> = {},
): Promise<ResealReport> =>
  runReseal(AppConfig.from(settings), sealed.store, { isShared: true, acceptLoss: false, ...options });
const keyIds = async (): Promise<Set<string | undefined>> =>
  new Set((await sealed.sealedTexts()).map(({ text }) => SecretBox.infoOf(text)?.keyId));

const twilio = (token: string): object => ({ accountSid: 'AC1', token, from: '+4930111' });
const integrate = async (session: TestSession, token: string): Promise<string> => {
  const body = { providerId: 'twilio', channel: 'sms', active: true, credentials: twilio(token) };
  return dataOf<{ _id: string }>(await session.post('/v1/integrations', body).expect(201))._id;
};

/** A store that has something sealed in every field, some of it deleted, some in the form of earlier versions. */
async function filledStore(): Promise<{ apiKey: string; kept: string; webhook: string }> {
  const api = await start({ STORE_ENCRYPTION_KEY: OLD });
  const session = await api.session();
  const kept = await integrate(session, 'kept');
  await session.delete(`/v1/integrations/${await integrate(session, 'deleted')}`).expect(200);
  const old = await integrate(session, 'old');
  const hook = { url: 'https://example.com/hook', events: ['message.sent'] };
  const webhook = dataOf<{ _id: string }>(await session.post('/v1/webhooks', hook).expect(201))._id;
  await session.post(`/v1/webhooks/${webhook}/secret/rotate`).expect(201);
  await session.post('/v1/feeds', { name: 'Once' }).set('Idempotency-Key', 'k').expect(201);
  await sealed.connection
    .collection('integrations')
    .updateOne(
      { _id: new Types.ObjectId(old) },
      { $set: { sealedCredentials: sealUnbound(JSON.stringify(twilio('old')), OLD) } },
    );
  await api.close();
  return { apiKey: session.apiKey, kept, webhook };
}

describe('herald keys reseal', () => {
  it('should finish a change of the key beside a running Herald, so that the former key is not needed', async () => {
    const { apiKey, webhook } = await filledStore();
    // As a store of an earlier version, which may have texts that are bound to no place.
    await sealed.connection.collection('storeKeys').deleteMany({});
    const running = await start(ROTATING);
    const { text, isComplete } = await run();
    expect(isComplete).toBe(true);
    expect(text).toContain('integrations.sealedCredentials: 3 of 3');
    expect(text).toContain('webhookEndpoints.formerSecret.sealed: 1 of 1');
    expect(text).toContain('idempotencyKeys.sealed: 1 of 1');
    expect(text).toContain('Clear STORE_ENCRYPTION_OLD_KEYS');
    const texts = await sealed.sealedTexts();
    expect(new Set(texts.map(({ text: one }) => one.split('.').slice(0, 2).join('.')))).toEqual(
      new Set([`v2.${keyIdOf(NEW)}`]),
    );
    await running.close();

    const api = await start({ STORE_ENCRYPTION_KEY: NEW });
    const herald = clientOf({ baseUrl: api.url, apiKey });
    expect(await herald.integrations.listIntegrations()).toMatchObject([
      { credentials: { token: 'old' } },
      { credentials: { token: 'kept' } },
    ]);
    expect(await herald.environments.revealApiKeys()).toMatchObject([{ key: apiKey }]);
    const { entries } = await herald.auditLog.listAuditLog({ query: { action: 'resealSecrets' } });
    expect(entries).toMatchObject([
      {
        actor: { type: 'command_line' },
        outcome: 'done',
        changes: [{ path: 'resealed', after: expect.any(Number) as number }],
      },
    ]);
    const secret = await herald.webhooks.getWebhookSecret({ path: { webhookId: webhook } });
    expect(secret).toHaveProperty('formerSecretUntil');
    await api.close();
    await expect(start({ STORE_ENCRYPTION_KEY: OLD })).rejects.toThrow(StoreKeyError);
  });

  it('should refuse texts that are bound to no place once all are bound', async () => {
    const { apiKey, kept } = await filledStore();
    await sealed.connection.collection('storeKeys').deleteMany({});
    const settings = { STORE_ENCRYPTION_KEY: OLD };
    await (await start(settings)).close();
    expect((await run(settings)).isComplete).toBe(true);
    await sealed.connection
      .collection('integrations')
      .updateOne({ _id: new Types.ObjectId(kept) }, { $set: { sealedCredentials: sealUnbound('{"token":"x"}', OLD) } });
    const api = await start(settings);
    expect(await clientOf({ baseUrl: api.url, apiKey }).integrations.listIntegrations()).toMatchObject([
      { credentials: { token: 'old' } },
      { credentials: {}, credentialsError: expect.any(String) as string },
    ]);
    await api.close();
  });

  it('should have nothing to do the second time', async () => {
    await filledStore();
    await run(ROTATING, { isShared: false, acceptLoss: true });
    const before = await sealed.sealedTexts();
    const { text, isComplete } = await run();
    expect([isComplete, /^Re-encrypted 0 of \d+ secrets/.test(text)]).toEqual([true, true]);
    const fields = ({ collection }: { collection: string }): boolean => collection !== 'storeKeys';
    expect((await sealed.sealedTexts()).filter(fields)).toEqual(before.filter(fields));
  });

  it('should change nothing while no Herald knows the new key, unless it has the store to itself', async () => {
    await filledStore();
    await expect(run()).rejects.toThrow('Restart every Herald process with the new STORE_ENCRYPTION_KEY');
    expect(await keyIds()).toEqual(new Set([keyIdOf(OLD)]));
    await expect(run({ STORE_ENCRYPTION_KEY: NEW }, { isShared: false })).rejects.toThrow(StoreKeyError);
    expect((await run(ROTATING, { isShared: false })).isComplete).toBe(false);
  });

  it('should name what it cannot read and keep the former key, until the loss is accepted', async () => {
    const { kept } = await filledStore();
    await sealed.connection.collection('storeKeys').deleteMany({});
    await (await start(ROTATING)).close();
    const lost = new SecretBox(['nobody has this key any more']).seal('{}', {
      collection: 'integrations',
      id: kept,
      environmentId: '',
      field: 'sealedCredentials',
    });
    await sealed.connection
      .collection('integrations')
      .updateOne({ _id: new Types.ObjectId(kept) }, { $set: { sealedCredentials: lost } });
    const first = await run();
    expect(first.isComplete).toBe(false);
    expect(first.text).toContain(`integrations.sealedCredentials of ${kept}`);
    await expect(start({ STORE_ENCRYPTION_KEY: NEW })).rejects.toThrow(StoreKeyError);

    expect((await run(ROTATING, { acceptLoss: true })).isComplete).toBe(true);
    await (await start({ STORE_ENCRYPTION_KEY: NEW })).close();
  });

  it('should let Herald start again where the key is lost for good', async () => {
    const { apiKey } = await filledStore();
    const settings = { STORE_ENCRYPTION_KEY: NEW };
    await expect(start(settings)).rejects.toThrow('see docs/operations.md');
    await run(settings, { acceptLoss: true });
    const api = await start(settings);
    expect(await clientOf({ baseUrl: api.url, apiKey }).integrations.listIntegrations()).toMatchObject([
      { credentials: {} },
      { credentials: {} },
    ]);
    await api.close();
  });

  it('should keep every change that is made while it runs', async () => {
    await (await start({ STORE_ENCRYPTION_KEY: OLD })).close();
    const api = await start(ROTATING);
    const session = await api.session();
    const former = new SecretBox([OLD]);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await integrate(session, 'before'));
    let isDone = false;
    const changing = (async () => {
      let round = 0;
      do {
        round += 1;
        for (const id of ids) {
          await session.put(`/v1/integrations/${id}`, { credentials: twilio(`round ${round}`) }).expect(200);
          const place = { collection: 'integrations', id, environmentId: session.environmentId };
          const text = former.seal(JSON.stringify(twilio(`round ${round}`)), { ...place, field: 'sealedCredentials' });
          // Writes of a Herald that has the former key still.
          await sealed.connection
            .collection('integrations')
            .updateOne({ _id: new Types.ObjectId(id) }, { $set: { sealedCredentials: text } });
        }
      } while (!isDone);
      return round;
    })();
    for (let n = 0; n < 5; n++) await run(ROTATING);
    isDone = true;
    const round = await changing;
    await run(ROTATING);
    const { body } = await session.get('/v1/integrations').expect(200);
    expect(body).toMatchObject({ data: ids.map(() => ({ credentials: twilio(`round ${round}`) })) });
    await api.close();
  });
});

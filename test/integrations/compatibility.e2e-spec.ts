import type { TestSession } from '../harness/index.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { CONDITIONS, discordFactory, fcmFactory, IN_APP, SMTP_CREDENTIALS } from '../factories/integration.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald } from '../support/herald.js';

const PATH = '/v1/integrations';

/** Replays what the compatible system's own tests expect of integrations. */
describe('compatibility: integrations', () => {
  const api = useHerald();
  let session: TestSession;
  let sibling: TestSession;

  beforeEach(async () => {
    [session, sibling] = await api.siblings();
  });

  const mail = { providerId: 'nodemailer', channel: 'email', check: false, credentials: SMTP_CREDENTIALS };
  const create = (body: Json): Promise<Json> => dataOf(session.post(PATH, body), 201);
  const createMail = (more: Json = {}): Promise<Json> => create({ ...mail, active: true, ...more });
  const update = (id: unknown, body: Json): Promise<Json> => dataOf(session.put(`${PATH}/${String(id)}`, body), 200);
  const ranks = async (): Promise<Record<string, unknown>> => {
    const rows = await dataOf<Json[]>(session.get(PATH), 200);
    return Object.fromEntries(rows.map(({ name, priority, primary }) => [String(name), [priority, primary]]));
  };

  describe('create', () => {
    it('should take the same provider twice and list both with their credentials', async () => {
      await createMail({ name: 'One' });
      await createMail({ name: 'Two' });
      const rows = await dataOf<Json[]>(session.get(PATH), 200);
      expect(rows.map(({ name }) => name).sort()).toEqual(['One', 'Two']);
      for (const row of rows)
        expect(row).toMatchObject({ identifier: expect.any(String), credentials: SMTP_CREDENTIALS });
    });

    it('should keep conditions and refuse malformed ones', async () => {
      const child = { on: 'tenant', field: 'identifier', value: 'test', operator: 'EQUAL' };
      expect(await createMail({ conditions: CONDITIONS })).toMatchObject({ conditions: [{ children: [child] }] });
      const { body } = await session.post(PATH, { ...mail, conditions: [{ children: 'test' }] }).expect(400);
      expect(body).toMatchObject({ error: 'Bad Request' });
    });

    it('should refuse a taken identifier', async () => {
      await createMail({ identifier: 'mail' });
      expect(await codeOf(session.post(PATH, { ...mail, identifier: 'mail' }), 409)).toBe(
        'integration_identifier_taken',
      );
    });

    it('should fill in name and identifier, inactive', async () => {
      const made = await create({ providerId: 'sendgrid', channel: 'email', check: false });
      expect(made).toMatchObject({ name: 'SendGrid', active: false, priority: 0, primary: false });
      expect(made['identifier']).toMatch(/^sendgrid-/);
    });

    it('deviation: should create in the environment of the key only', async () => {
      const body = { ...mail, _environmentId: sibling.environmentId };
      expect(await codeOf(session.post(PATH, body), 403)).toBe('other_environment');
      expect(await createMail({ _environmentId: session.environmentId })).toMatchObject({
        _environmentId: session.environmentId,
      });
    });

    it('should give back mail credentials as they were sent', async () => {
      expect((await createMail())['credentials']).toEqual(SMTP_CREDENTIALS);
    });

    it('should not rank in-app, push and chat', async () => {
      for (const body of [IN_APP, fcmFactory(), discordFactory()]) {
        expect(await create(body)).toMatchObject({ active: true, priority: 0, primary: false });
      }
    });

    it('should make the first active mail integration the primary one, and keep it in front', async () => {
      expect(await createMail({ name: 'One' })).toMatchObject({ priority: 1, primary: true });
      expect(await createMail({ name: 'Two' })).toMatchObject({ priority: 1, primary: false });
      expect(await ranks()).toEqual({ One: [2, true], Two: [1, false] });
    });

    it('should allow one in-app integration (deviation: 409 instead of 400)', async () => {
      await create(IN_APP);
      expect(await codeOf(session.post(PATH, IN_APP), 409)).toBe('in_app_integration_exists');
    });
  });

  describe('list', () => {
    it('should show the environment of the key (deviation: not those of all environments)', async () => {
      await createMail();
      expect(await dataOf(session.get(PATH), 200)).toHaveLength(1);
      expect(await dataOf(sibling.get(PATH), 200)).toEqual([]);
    });

    it('should show active ones apart', async () => {
      const { _id } = await createMail();
      await create({ ...mail, active: false });
      expect(await dataOf(session.get(`${PATH}/active`), 200)).toMatchObject([{ _id, active: true }]);
    });
  });

  describe('update', () => {
    it('should answer 404 for an unknown one and 409 for a taken identifier', async () => {
      expect(await codeOf(session.put(`${PATH}/${UNKNOWN_ID}`, { name: 'x' }), 404)).toBe('integration_not_found');
      const { _id } = await createMail({ identifier: 'one' });
      await createMail({ identifier: 'two' });
      await session.put(`${PATH}/${String(_id)}`, { identifier: 'two' }).expect(409);
    });

    it('should replace the credentials and show them', async () => {
      const { _id } = await createMail();
      const credentials = { ...SMTP_CREDENTIALS, host: 'mail.example.com' };
      expect((await update(_id, { credentials, check: false }))['credentials']).toEqual(credentials);
    });

    it('should take a body with one field only', async () => {
      const { _id } = await createMail();
      expect(await update(_id, { identifier: 'new-id', check: false })).toMatchObject({ identifier: 'new-id' });
      expect(await update(_id, { name: 'New', check: false })).toMatchObject({ name: 'New', identifier: 'new-id' });
      expect(await update(_id, { _environmentId: session.environmentId, check: false })).toMatchObject({
        _environmentId: session.environmentId,
      });
    });

    it('should remove the primary mark with conditions, and refuse malformed ones', async () => {
      const { _id } = await createMail();
      expect(await update(_id, { conditions: CONDITIONS, check: false })).toMatchObject({ primary: false });
      await session.put(`${PATH}/${String(_id)}`, { conditions: [{ children: 'test' }] }).expect(400);
    });

    it('should number the remaining ones anew when one in the middle is switched off', async () => {
      await createMail({ name: 'A' });
      const b = await createMail({ name: 'B' });
      await createMail({ name: 'C' });
      const before = await ranks();
      expect(Object.values(before)).toHaveLength(3);
      expect(await update(b['_id'], { active: false, check: false })).toMatchObject({
        active: false,
        priority: 0,
        primary: false,
      });
      expect(await ranks()).toEqual({ A: [2, true], B: [0, false], C: [1, false] });
    });

    it('should put a newly activated one behind the primary one', async () => {
      await createMail({ name: 'A' });
      const b = await create({ ...mail, name: 'B' });
      await update(b['_id'], { active: true, check: false });
      expect(await ranks()).toEqual({ A: [2, true], B: [1, false] });
    });
  });

  describe('set-primary', () => {
    const setPrimary = (id: unknown): ReturnType<TestSession['post']> =>
      session.post(`${PATH}/${String(id)}/set-primary`);

    it('should refuse ids that are none, unknown ones, and channels without a primary one', async () => {
      expect(await faultsOf(setPrimary('nope'))).toHaveLength(1);
      await setPrimary(UNKNOWN_ID).expect(404);
      const { _id } = await create(discordFactory());
      await setPrimary(_id).expect(400);
    });

    it('should swap the primary one, activate it and drop its conditions', async () => {
      await createMail({ name: 'A' });
      const b = await create({ ...mail, name: 'B', conditions: CONDITIONS });
      const swapped = await dataOf(setPrimary(b['_id']), 200);
      expect(swapped).toMatchObject({ active: true, primary: true, conditions: [], priority: 2 });
      expect(await ranks()).toEqual({ A: [1, false], B: [2, true] });
    });
  });

  describe('delete', () => {
    it('should delete, number the remaining ones anew and keep the primary one', async () => {
      await session.delete(`${PATH}/${UNKNOWN_ID}`).expect(404);
      await createMail({ name: 'A' });
      const b = await createMail({ name: 'B' });
      await createMail({ name: 'C' });
      expect(await dataOf(session.delete(`${PATH}/${String(b['_id'])}`), 200)).toHaveLength(2);
      expect(await ranks()).toEqual({ A: [2, true], C: [1, false] });
    });
  });

  describe('webhook status', () => {
    const status = (provider: string): ReturnType<TestSession['get']> =>
      session.get(`${PATH}/webhook/provider/${provider}/status`);

    it('should tell whether callbacks of a provider are understood', async () => {
      await status('sendgrid').expect(404);
      await create({ providerId: 'sendgrid', channel: 'email' });
      await status('sendgrid').expect(400);
      await create(discordFactory());
      await status('discord').expect(400);
      const credentials = { apiKey: 'SG.1', from: 'a@example.com', senderName: 'A' };
      await create({ providerId: 'postmark', channel: 'email', active: true, check: false, credentials });
      expect(await dataOf(status('postmark'), 200)).toBe(true);
    });
  });
});

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import {
  activeEmailFactory,
  discordFactory,
  integrationFactory,
  SMTP_CREDENTIALS,
} from '../factories/integration.factory.js';
import { codeOf, dataOf, faultsOf } from '../support/answers.js';
import { callsOf } from '../support/resource-calls.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const PATH = '/v1/integrations';
const { one, make, put, list } = callsOf(PATH, () => session);

describe('/v1/integrations', () => {
  describe('check', () => {
    let smtp: SMTPServer;
    beforeAll(async () => {
      smtp = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        onAuth: ({ password }, _session, done) =>
          password === 'right' ? done(null, { user: 'x' }) : done(new Error('Bad password')),
      });
      await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done));
    });
    afterAll(() => new Promise<void>((done) => smtp.close(done)));
    const checked = (password: string, port = (smtp.server.address() as AddressInfo).port): Record<string, unknown> =>
      activeEmailFactory({
        check: true,
        credentials: {
          ...SMTP_CREDENTIALS,
          requireTls: false,
          ignoreTls: true,
          port: String(port),
          user: 'ann',
          password,
        },
      });

    it('should pass where the provider accepts the credentials', async () => {
      await make(checked('right'));
    });

    it('should refuse with the reason, and without the password, where it does not', async () => {
      const { body } = await session.post(PATH, checked('wr0ng-passw0rd')).expect(400);
      expect(body).toMatchObject({ code: 'credential_check_failed' });
      expect(JSON.stringify(body)).not.toContain('wr0ng-passw0rd');
      expect(await list()).toEqual([]);
    });

    it('should refuse where nobody listens', async () => {
      expect(await codeOf(session.post(PATH, checked('right', 1)), 400)).toBe('credential_check_failed');
    });

    it('should be off unless asked for', async () => {
      await make({ ...checked('wrong'), check: null });
      await make({ ...checked('wrong'), check: false });
    });

    it('should be repeated for a stored integration, without a change', async () => {
      const made = await make(checked('right'));
      const call = (row: Record<string, unknown>) => session.post(`${one(row)}/check`, {});
      expect(await dataOf(call(made), 200)).toEqual({ result: 'accepted' });
      const wrong = await make({ ...checked('wr0ng-passw0rd'), check: false });
      const answer = await dataOf<{ result: string; reason: string }>(call(wrong), 200);
      expect(answer).toEqual({ result: 'refused', reason: expect.stringContaining('Bad password') as string });
      expect(JSON.stringify(answer)).not.toContain('wr0ng-passw0rd');
      const rows = await list();
      expect(rows.map(({ updatedAt }) => updatedAt)).toEqual([wrong['updatedAt'], made['updatedAt']]);
    });

    it('should say where the provider has no such test', async () => {
      const made = await make(discordFactory());
      expect(await dataOf(session.post(`${one(made)}/check`, {}), 200)).toEqual({ result: 'not_offered' });
    });

    it('should name what a stored integration lacks, and integrations that do not exist', async () => {
      const made = await make(integrationFactory());
      const answer = await dataOf<{ result: string; reason: string }>(session.post(`${one(made)}/check`, {}), 200);
      expect(answer).toEqual({
        result: 'incomplete',
        reason: expect.stringContaining('credentials.host is required') as string,
      });
      expect(await codeOf(session.post(`${PATH}/64f0c1a2b3c4d5e6f7a8b9c0/check`, {}), 404)).toBe(
        'integration_not_found',
      );
    });

    it('should need complete credentials even of an inactive one', async () => {
      const faults = await faultsOf(session.post(PATH, integrationFactory({ check: true })));
      expect(faults.map((fault) => fault.split(' (')[0])).toEqual(
        ['host', 'port', 'from', 'senderName'].map((name) => `credentials.${name} is required`),
      );
      const unknown = integrationFactory({ check: true, providerId: 'pigeon' });
      expect(await faultsOf(session.post(PATH, unknown))).toEqual([
        "providerId 'pigeon' is not a known provider: an integration of it cannot be active or checked",
      ]);
    });

    it('should pass where the provider has no such test', async () => {
      await make(discordFactory({ check: true }));
    });

    it('should be done by PUT with the credentials that result', async () => {
      const made = await make({ ...checked('right'), active: false });
      expect(await put(made, { active: true, check: true })).toMatchObject({ active: true });
      const credentials = { ...(made['credentials'] as object), password: 'wrong' };
      expect(await codeOf(session.put(one(made), { credentials, check: true }), 400)).toBe('credential_check_failed');
      expect((await list())[0]?.['credentials']).toEqual(made['credentials']);
    });
  });
});

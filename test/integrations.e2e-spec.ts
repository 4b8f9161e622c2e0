import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { SMTPServer } from 'smtp-server';
import { itBehavesLikeAResource, type TestApp, type TestSession } from '#libs/testing';
import {
  activeEmailFactory,
  discordFactory,
  fcmFactory,
  integrationFactory,
  SMTP_CREDENTIALS,
} from './factories/integration.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from './support/answers.js';
import { startTestApi } from './support/test-api.js';

let api: TestApp;
let session: TestSession;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  session = await api.session();
});
afterAll(() => api.close());

const PATH = '/v1/integrations';
const one = (integration: Json): string => `${PATH}/${String(integration['_id'])}`;
const make = (body: object, by = session): Promise<Json> => dataOf(by.post(PATH, body), 201);
const put = (integration: Json, body: object): Promise<Json> => dataOf(session.put(one(integration), body), 200);
const list = (by = session): Promise<Json[]> => dataOf<Json[]>(by.get(PATH), 200);
const setPrimary = (integration: Json): Promise<Json> =>
  dataOf(session.post(`${one(integration)}/set-primary`, {}), 201);
const UNKNOWN = { _id: '0123456789abcdef01234567' };
const CONDITIONS = [
  { value: 'AND', children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'test' }] },
];
const IN_APP = { providerId: 'novu', channel: 'in_app', active: true };

/** `[priority, primary]` of each, looked up in the list. */
async function standings(...integrations: Json[]): Promise<unknown[]> {
  const rows = new Map((await list()).map((row) => [row['_id'], row]));
  return integrations.map(({ _id }) => [rows.get(_id)?.['priority'], rows.get(_id)?.['primary']]);
}

describe('/v1/integrations', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: PATH,
    create: (by) => make(integrationFactory(), by),
    list: { shape: 'array' },
    remove: { path: one, status: 200 },
    writes: [
      { method: 'put', path: one, body: { name: 'Eve' } },
      { method: 'post', path: (row) => `${one(row)}/set-primary`, body: {} },
    ],
    unknownPath: `${PATH}/webhook/provider/none/status`,
  });

  describe('POST', () => {
    it('should answer with every field of the interface, credentials as they were sent', async () => {
      const sent = activeEmailFactory({ name: 'Mail', identifier: 'mail', conditions: CONDITIONS, check: false });
      const { check: _check, ...shown } = sent;
      expect(await make(sent)).toEqual({
        ...shown,
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        primary: false,
        priority: 1,
        deleted: false,
        createdAt: expect.stringMatching(/Z$/) as string,
        updatedAt: expect.stringMatching(/Z$/) as string,
        __v: 0,
      });
    });

    it('should fill in what is not given', async () => {
      const made = await make({
        providerId: 'sendgrid',
        channel: 'email',
        name: null,
        credentials: null,
        active: null,
      });
      expect(made).toMatchObject({ name: 'SendGrid', active: false, credentials: {}, conditions: [], primary: false });
      expect(made['identifier']).toMatch(/^sendgrid-[0-9A-Za-z]{10}$/);
    });

    it.each([
      ['its name', { name: 'Überraschung & Co. 50%' }, /^uberraschung-and-co-50percent-\w{10}$/],
      ['the provider where the name gives nothing', { name: '日本' }, /^nodemailer-\w{10}$/],
      ['the provider of an unknown one', { providerId: 'pigeon-post' }, /^pigeon-post-\w{10}$/],
      ['an empty identifier', { identifier: '' }, /^custom-smtp-\w{10}$/],
      ['nothing at all', { name: '日本', providerId: '日本' }, /^integration-\w{10}$/],
      ['a very long name', { name: 'n'.repeat(255) }, /^n{200}-\w{10}$/],
    ])('should make an identifier of %s', async (_case, overrides, expected) => {
      expect((await make(integrationFactory(overrides)))['identifier']).toMatch(expected);
    });

    it('should name an unknown provider by its id', async () => {
      expect((await make(integrationFactory({ providerId: 'pigeon' })))['name']).toBe('Pigeon');
    });

    it('should keep credentials encrypted and give them back with their types', async () => {
      const credentials = { ...SMTP_CREDENTIALS, password: 'pa$$ "word"', secretKey: 'line\nline', tlsOptions: { a: [1, { b: null }] } }; // prettier-ignore
      const made = await make(activeEmailFactory({ credentials }));
      expect(made['credentials']).toEqual(credentials);
      expect((await list())[0]?.['credentials']).toEqual(credentials);
      const connection = api.app.get<Connection>(getConnectionToken());
      const raw = await connection.collection('integrations').findOne({ identifier: made['identifier'] });
      expect(JSON.stringify(raw)).not.toMatch(/hello@example|pa\$\$|127\.0\.0\.1|rejectUnauthorized/);
      expect(raw?.['sealedCredentials']).toMatch(/^v1\./);
    });

    it('should turn switches that come as text into booleans and drop unknown keys', async () => {
      const made = await make(integrationFactory({ credentials: { secure: 'true', ignoreTls: 'false', colour: 1, apiKey: null } })); // prettier-ignore
      expect(made['credentials']).toEqual({ secure: true, ignoreTls: false });
    });

    it('should let a provider be used twice', async () => {
      await make(activeEmailFactory());
      await make(activeEmailFactory());
      expect((await list()).map(({ active }) => active)).toEqual([true, true]);
    });

    it('should refuse an identifier that is taken, until its owner is deleted', async () => {
      const owner = await make(integrationFactory({ identifier: 'mine' }));
      expect(await codeOf(session.post(PATH, integrationFactory({ identifier: 'mine' })), 409)).toBe(
        'integration_identifier_taken',
      );
      await session.delete(one(owner)).expect(200);
      await make(integrationFactory({ identifier: 'mine' }));
    });

    it('should create in another environment of the organization, and in no other', async () => {
      const [here, there] = await api.siblings();
      const made = await make(activeEmailFactory({ _environmentId: there.environmentId }), here);
      expect(made).toMatchObject({ _environmentId: there.environmentId, primary: true });
      expect(await list(here)).toEqual([]);
      expect((await list(there)).map(({ _id }) => _id)).toEqual([made['_id']]);
      const foreign = integrationFactory({ _environmentId: session.environmentId });
      expect(await codeOf(here.post(PATH, foreign), 404)).toBe('environment_not_found');
    });

    it('should allow one in-app integration in an environment', async () => {
      const first = await make(IN_APP);
      expect(await codeOf(session.post(PATH, { ...IN_APP, active: false }), 409)).toBe('in_app_integration_exists');
      await session.delete(one(first)).expect(200);
      const answers = await Promise.all(Array.from({ length: 8 }, () => session.post(PATH, IN_APP)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    });

    describe('when it is to be active', () => {
      it('should list everything that is missing or of a wrong kind', async () => {
        const faults = await faultsOf(
          session.post(PATH, activeEmailFactory({ credentials: { port: 'abc', from: ' ' } })),
        );
        expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
          'credentials.from',
          'credentials.host',
          'credentials.port',
          'credentials.senderName',
        ]);
        expect(await list()).toEqual([]);
      });

      it.each([
        ['an unknown provider', { providerId: 'pigeon' }, 'not a known provider'],
        ['a provider of another channel', { channel: 'sms' }, 'a provider of the channel email, not of sms'],
      ])('should refuse %s', async (_case, overrides, text) => {
        const [fault] = await faultsOf(session.post(PATH, activeEmailFactory(overrides)));
        expect(fault).toContain(text);
      });

      it('should take the same as inactive', async () => {
        await make(activeEmailFactory({ providerId: 'pigeon', active: false }));
        await make(activeEmailFactory({ channel: 'sms', active: false }));
        await make(activeEmailFactory({ credentials: {}, active: false }));
      });

      it('should take a provider that needs nothing', async () => {
        expect(await make(discordFactory())).toMatchObject({ active: true, primary: false, priority: 0 });
      });
    });

    it('should report all faults at once, with their paths', async () => {
      const sent = {
        providerId: 5,
        channel: 'pigeon',
        name: {},
        identifier: [],
        _environmentId: 'x',
        credentials: { apiKey: 5, secure: 'maybe', tlsOptions: 'x', port: 587 },
        active: 'true',
        check: 1,
        conditions: [{ children: 'test' }, { children: [{ on: 'payload', field: 'a', operator: 'EQUAL', value: 1 }] }],
      };
      expect(await faultsOf(session.post(PATH, sent))).toEqual(
        expect.arrayContaining([
          'providerId must be a string',
          'channel must be one of the following values: in_app, email, sms, chat, push',
          'name must be a string',
          'identifier must be a string',
          '_environmentId must be a mongodb id',
          'credentials.apiKey must be a string',
          'credentials.secure must be a boolean value',
          'credentials.tlsOptions must be an object',
          'credentials.port must be a string',
          'active must be a boolean value',
          'check must be a boolean value',
          'conditions.0.children must be an array',
          'conditions.1.children.0.on must be one of tenant',
        ]),
      );
    });

    it.each([
      ['providerId', null],
      ['providerId', ''],
      ['providerId', { $gt: '' }],
      ['channel', null],
      ['channel', ['email']],
      ['name', 'x'.repeat(256)],
      ['identifier', 'x'.repeat(256)],
      ['_environmentId', { $ne: null }],
      ['credentials', 'x'],
      ['credentials', []],
      ['credentials', { apiKey: 'x'.repeat(33_000) }],
      ['credentials', { tlsOptions: { $where: 1 } }],
      ['conditions', {}],
      ['conditions', [null]],
      ['conditions', [{ children: [{ on: 'tenant', field: '__proto__', operator: 'EQUAL', value: 1 }] }]],
    ])('should refuse %s: %p', async (field, value) => {
      const faults = await faultsOf(session.post(PATH, integrationFactory({ [field]: value })));
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.every((fault) => fault.startsWith(field))).toBe(true);
    });

    it('should keep of conditions what is known', async () => {
      const [group] = CONDITIONS;
      const conditions = [{ ...group, $gt: 1, extra: 1, children: [{ ...group?.children[0], webhookUrl: 'x', a: 1 }] }];
      expect((await make(integrationFactory({ conditions })))['conditions']).toEqual(CONDITIONS);
    });
  });

  describe('check', () => {
    let smtp: SMTPServer;
    let silent: Server;
    beforeAll(async () => {
      smtp = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        onAuth: ({ password }, _session, done) =>
          password === 'right' ? done(null, { user: 'x' }) : done(new Error('Bad password')),
      });
      silent = createServer();
      await Promise.all([smtp.server, silent].map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))); // prettier-ignore
    });
    afterAll(async () => {
      await new Promise<void>((done) => smtp.close(done));
      await new Promise((done) => silent.close(done));
    });
    const checked = (password: string, server: { address(): unknown }): Record<string, unknown> =>
      activeEmailFactory({
        check: true,
        credentials: {
          ...SMTP_CREDENTIALS,
          requireTls: false,
          ignoreTls: true,
          port: String((server.address() as AddressInfo).port),
          user: 'ann',
          password,
        },
      });

    it('should pass where the provider accepts the credentials', async () => {
      await make(checked('right', smtp.server));
    });

    it('should refuse with the reason, and without the password, where it does not', async () => {
      const { body } = await session.post(PATH, checked('wr0ng-passw0rd', smtp.server)).expect(400);
      expect(body).toMatchObject({ code: 'credential_check_failed' });
      expect(JSON.stringify(body)).not.toContain('wr0ng-passw0rd');
      expect(await list()).toEqual([]);
    });

    it('should refuse where nobody listens', async () => {
      const { port } = silent.address() as AddressInfo;
      await new Promise((done) => silent.close(done));
      const closed = { address: () => ({ port }) };
      expect(await codeOf(session.post(PATH, checked('right', closed)), 400)).toBe('credential_check_failed');
      await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    });

    it('should be off unless asked for', async () => {
      const { check: _check, ...unchecked } = checked('wrong', smtp.server);
      await make(unchecked);
    });

    it('should need complete credentials even of an inactive one', async () => {
      await faultsOf(session.post(PATH, integrationFactory({ check: true })));
      await faultsOf(session.post(PATH, integrationFactory({ check: true, providerId: 'pigeon' })));
    });

    it('should pass where the provider has no such test', async () => {
      await make(discordFactory({ check: true }));
    });

    it('should be done by PUT with the credentials that result', async () => {
      const made = await make({ ...checked('right', smtp.server), active: false });
      expect(await put(made, { active: true, check: true })).toMatchObject({ active: true });
      const credentials = { ...(made['credentials'] as object), password: 'wrong' };
      expect(await codeOf(session.put(one(made), { credentials, check: true }), 400)).toBe('credential_check_failed');
      expect((await list())[0]?.['credentials']).toEqual(made['credentials']);
    });
  });

  describe('primary and priority', () => {
    it('should make the first active one of email primary, and put later ones below it', async () => {
      const first = await make(activeEmailFactory());
      expect(first).toMatchObject({ primary: true, priority: 1 });
      const second = await make(activeEmailFactory());
      expect(second).toMatchObject({ primary: false, priority: 1 });
      const third = await make(activeEmailFactory());
      expect(await standings(first, second, third)).toEqual([[3, true], [1, false], [2, false]]); // prettier-ignore
    });

    it.each([
      ['inactive', integrationFactory()],
      ['in-app', IN_APP],
      ['chat', discordFactory()],
      ['push', fcmFactory()],
    ])('should leave one of %s without', async (_case, body) => {
      expect(await make(body)).toMatchObject({ primary: false, priority: 0 });
    });

    it('should not make one with conditions primary', async () => {
      const first = await make(activeEmailFactory({ conditions: CONDITIONS }));
      const second = await make(activeEmailFactory());
      expect(await standings(first, second)).toEqual([[1, false], [2, true]]); // prettier-ignore
    });

    it('should keep channels and environments apart', async () => {
      const [here, there] = await api.siblings();
      const sms = { providerId: 'sms77', channel: 'sms', active: true, credentials: { apiKey: 'k', from: 'x' } };
      for (const by of [here, there]) {
        expect(await make(activeEmailFactory(), by)).toMatchObject({ primary: true, priority: 1 });
        expect(await make(sms, by)).toMatchObject({ primary: true, priority: 1 });
      }
    });

    it('should make exactly one primary when many come at once', async () => {
      await Promise.all(Array.from({ length: 12 }, () => make(activeEmailFactory())));
      const rows = await list();
      expect(rows.filter(({ primary }) => primary).length).toBe(1);
      expect(rows.map(({ priority }) => priority).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 12 }, (_, i) => i + 1),
      );
      expect(rows.find(({ primary }) => primary)?.['priority']).toBe(12);
    });

    it('should stay sound under any mixture of changes at once', async () => {
      const made = await Promise.all(Array.from({ length: 6 }, () => make(activeEmailFactory())));
      const at = (i: number): Json => made[i] as Json;
      await Promise.all([
        session.post(`${one(at(0))}/set-primary`, {}),
        session.post(`${one(at(1))}/set-primary`, {}),
        session.put(one(at(2)), { active: false }),
        session.put(one(at(3)), { conditions: CONDITIONS }),
        session.delete(one(at(4))),
        session.post(PATH, activeEmailFactory()),
      ]);
      const rows = await list();
      const active = rows.filter((row) => row['active'] === true);
      expect(active.map(({ priority }) => Number(priority)).sort()).toEqual([1, 2, 3, 4, 5]);
      expect(rows.filter(({ primary }) => primary).length).toBe(1);
      expect(rows.find(({ primary }) => primary)?.['priority']).toBe(5);
      expect(rows.find((row) => row['active'] === false)).toMatchObject({ priority: 0, primary: false });
    });

    it('should not make one primary that becomes active later', async () => {
      const first = await make(activeEmailFactory({ active: false }));
      expect(await put(first, { active: true })).toMatchObject({ priority: 1, primary: false });
      const second = await make(activeEmailFactory({ active: false }));
      expect(await put(second, { active: true })).toMatchObject({ priority: 2, primary: false });
      await setPrimary(second);
      const third = await make(activeEmailFactory({ active: false }));
      expect(await put(third, { active: true })).toMatchObject({ priority: 2, primary: false });
      expect(await standings(second, first)).toEqual([[3, true], [1, false]]); // prettier-ignore
    });

    it('should close the gap and promote nobody on deactivation', async () => {
      const top = await make(activeEmailFactory());
      const low = await make(activeEmailFactory());
      const middle = await make(activeEmailFactory());
      await put(middle, { active: false });
      expect(await standings(top, middle, low)).toEqual([[2, true], [0, false], [1, false]]); // prettier-ignore
      await put(top, { active: false });
      expect(await standings(top, low)).toEqual([[0, false], [1, false]]); // prettier-ignore
    });

    it('should be left alone by an update of something else', async () => {
      const first = await make(activeEmailFactory());
      const second = await make(activeEmailFactory());
      await put(first, { name: 'Other', active: true });
      await put(second, { credentials: SMTP_CREDENTIALS });
      expect(await standings(first, second)).toEqual([[2, true], [1, false]]); // prettier-ignore
    });

    it('should take the primary mark away when conditions are set, and not when they are emptied', async () => {
      const first = await make(activeEmailFactory());
      expect(await put(first, { conditions: [] })).toMatchObject({ primary: true });
      expect(await put(first, { conditions: CONDITIONS })).toMatchObject({
        conditions: CONDITIONS,
        primary: false,
        priority: 1,
      });
      expect(await put(first, { conditions: null })).toMatchObject({ conditions: [], primary: false });
    });
  });

  describe('POST /{integrationId}/set-primary', () => {
    it('should put it on top, active and without conditions', async () => {
      const first = await make(activeEmailFactory());
      const second = await make(activeEmailFactory());
      const third = await make(activeEmailFactory({ active: false, conditions: CONDITIONS }));
      expect(await setPrimary(third)).toMatchObject({ active: true, primary: true, priority: 3, conditions: [] });
      expect(await standings(first, second)).toEqual([[2, false], [1, false]]); // prettier-ignore
    });

    it('should change nothing where it is primary already', async () => {
      const first = await make(activeEmailFactory());
      expect(await setPrimary(first)).toEqual(first);
    });

    it('should refuse one that is not fit to be active', async () => {
      expect((await faultsOf(session.post(`${one(await make(integrationFactory()))}/set-primary`, {}))).length).toBe(4);
    });

    it.each([
      ['in-app', IN_APP],
      ['chat', discordFactory()],
      ['push', fcmFactory()],
    ])('should refuse the channel of %s', async (_case, body) => {
      const made = await make(body);
      expect(await codeOf(session.post(`${one(made)}/set-primary`, {}), 400)).toBe('primary_not_supported');
    });

    it('should answer 404 for an unknown id and 400 for none', async () => {
      await session.post(`${one(UNKNOWN)}/set-primary`, {}).expect(404);
      await session.post(`${PATH}/none/set-primary`, {}).expect(400);
    });
  });

  describe('PUT /{integrationId}', () => {
    it('should replace credentials whole and keep what is absent', async () => {
      const made = await make(
        integrationFactory({ name: 'One', identifier: 'one', credentials: { host: 'a', user: 'b' } }),
      );
      const after = await put(made, { credentials: { host: 'c' } });
      expect(after).toEqual({ ...made, credentials: { host: 'c' }, __v: 1, updatedAt: after['updatedAt'] });
      expect(await put(made, { name: 'Two' })).toMatchObject({
        name: 'Two',
        identifier: 'one',
        credentials: { host: 'c' },
      });
      expect(await put(made, { identifier: 'two' })).toMatchObject({ name: 'Two', identifier: 'two' });
      expect(await put(made, { credentials: null })).toMatchObject({ credentials: {} });
    });

    it('should not change provider and channel', async () => {
      const made = await make(integrationFactory());
      expect(await put(made, { providerId: 'ses', channel: 'sms', name: 'x' })).toMatchObject({
        providerId: 'nodemailer',
        channel: 'email',
      });
    });

    it.each([[{}], [{ check: false }], [{ name: null }], [{ unknown: 1 }]])('should refuse %p', async (body) => {
      const made = await make(integrationFactory());
      expect(await codeOf(session.put(one(made), body), 400)).toBe('nothing_to_update');
    });

    it('should refuse what would make an active one incomplete', async () => {
      const made = await make(activeEmailFactory());
      expect(await faultsOf(session.put(one(made), { credentials: { host: 'x' } }))).toEqual(
        expect.arrayContaining([expect.stringMatching(/^credentials\.port /) as string]),
      );
      await put(made, { credentials: { host: 'x' }, active: false });
      await faultsOf(session.put(one(made), { active: true }));
    });

    it('should not be outwitted by two updates at once', async () => {
      for (let round = 0; round < 5; round++) {
        const made = await make(activeEmailFactory({ active: false }));
        await Promise.all([session.put(one(made), { active: true }), session.put(one(made), { credentials: {} })]);
        const after = (await list()).find(({ _id }) => _id === made['_id']);
        expect(after?.['active'] === true && Object.keys(after['credentials'] as object).length === 0).toBe(false);
      }
    });

    it('should refuse an identifier that is taken', async () => {
      await make(integrationFactory({ identifier: 'taken' }));
      const made = await make(integrationFactory({ identifier: 'mine' }));
      expect(await codeOf(session.put(one(made), { identifier: 'taken' }), 409)).toBe('integration_identifier_taken');
      await put(made, { identifier: 'mine' });
    });

    it('should move to another environment of the organization', async () => {
      const [here, there] = await api.siblings();
      const first = await make(activeEmailFactory({ identifier: 'mover' }), here);
      const stays = await make(activeEmailFactory(), here);
      const body = { _environmentId: there.environmentId };
      expect(await dataOf(here.put(one(first), body), 200)).toMatchObject({ ...body, priority: 1, primary: false });
      expect((await list(here)).map(({ _id, priority }) => [_id, priority])).toEqual([[stays['_id'], 1]]);
      await here.put(one(stays), { _environmentId: session.environmentId }).expect(404);
    });

    it('should answer 404 for an unknown id and 400 for none', async () => {
      await session.put(one(UNKNOWN), { name: 'x' }).expect(404);
      await session.put(`${PATH}/none`, { name: 'x' }).expect(400);
    });

    it('should report all faults at once', async () => {
      const faults = await faultsOf(
        session.put(one(UNKNOWN), { name: 5, active: 'x', credentials: 1, conditions: 'x' }),
      );
      expect([...new Set(faults.map((fault) => fault.split(' ')[0]))].sort()).toEqual([
        'active',
        'conditions',
        'credentials',
        'name',
      ]);
    });
  });

  describe('DELETE /{integrationId}', () => {
    it('should answer with the remaining ones, in order without a gap', async () => {
      const first = await make(activeEmailFactory());
      const second = await make(activeEmailFactory());
      const third = await make(activeEmailFactory());
      const rest = await dataOf<Json[]>(session.delete(one(third)), 200);
      expect(rest.map(({ _id, priority, primary }) => [_id, priority, primary])).toEqual([
        [second['_id'], 1, false],
        [first['_id'], 2, true],
      ]);
      const last = await dataOf<Json[]>(session.delete(one(first)), 200);
      expect(last.map(({ priority, primary }) => [priority, primary])).toEqual([[1, false]]);
    });

    it('should answer 400 for an id that is none', async () => {
      await session.delete(`${PATH}/none`).expect(400);
    });
  });

  describe('GET', () => {
    it('should list the newest first', async () => {
      for (const identifier of ['a', 'b', 'c']) await make(integrationFactory({ identifier }));
      expect((await list()).map(({ identifier }) => identifier)).toEqual(['c', 'b', 'a']);
    });

    it('should list active ones apart', async () => {
      await make(integrationFactory());
      const active = await make(activeEmailFactory());
      expect(await dataOf(session.get(`${PATH}/active`), 200)).toEqual([active]);
    });
  });

  describe('GET /in-app/status', () => {
    const status = (): Promise<Json> => dataOf(session.get(`${PATH}/in-app/status`), 200);

    it('should be on without an integration, and follow one where there is one', async () => {
      expect(await status()).toEqual({ active: true });
      const made = await make({ ...IN_APP, active: false });
      expect(await status()).toEqual({ active: false });
      await put(made, { active: true });
      expect(await status()).toEqual({ active: true });
    });
  });

  describe('GET /webhook/provider/{providerOrIntegrationId}/status', () => {
    const path = (reference: unknown): string => `${PATH}/webhook/provider/${String(reference)}/status`;

    it('should answer by provider, identifier and id', async () => {
      const made = await make(activeEmailFactory());
      for (const reference of ['nodemailer', made['identifier'], made['_id']]) {
        expect(await dataOf<boolean>(session.get(path(reference)), 200)).toBe(false);
      }
    });

    it('should refuse other channels, and integrations without credentials', async () => {
      await make(discordFactory());
      await make(integrationFactory());
      expect(await codeOf(session.get(path('discord')), 400)).toBe('callbacks_not_supported');
      expect(await codeOf(session.get(path('nodemailer')), 400)).toBe('integration_without_credentials');
    });
  });
});

import { itBehavesLikeAResource } from '../harness/index.js';
import {
  activeEmailFactory,
  CONDITIONS,
  discordFactory,
  IN_APP,
  integrationFactory,
  SMTP_CREDENTIALS,
} from '../factories/integration.factory.js';
import { codeOf, dataOf, faultsOf, fieldsOf } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';
import { callsOf } from '../support/resource-calls.js';

const api = useHerald();
const session = useSession(api);

const PATH = '/v1/integrations';
const { one, make, list } = callsOf(PATH, () => session);

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
      const shown = Object.fromEntries(Object.entries(sent).filter(([key]) => key !== 'check'));
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
      const [raw] = await api.stored('integrations').find({ identifier: made['identifier'] });
      expect(JSON.stringify(raw)).not.toMatch(/hello@example|pa\$\$|127\.0\.0\.1|rejectUnauthorized/);
      expect(raw?.['sealedCredentials']).toMatch(/^v2\./);
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
        expect(fieldsOf(faults).sort()).toEqual([
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
});

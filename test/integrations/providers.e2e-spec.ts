import { generateKeyPairSync } from 'node:crypto';
import { generateVAPIDKeys } from 'web-push';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { unique } from '../factories/ids.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

interface Provider extends Json {
  id: string;
  channel: string;
  canSend: boolean;
  credentials: {
    key: string;
    type: string;
    required: boolean;
    unless?: string[];
    secret: boolean;
    label: string;
    description: string;
    rare: boolean;
  }[];
}

const providers = (): Promise<Provider[]> => dataOf(session.get('/v1/integrations/providers'), 200);

describe('GET /v1/integrations/providers', () => {
  it('should list each provider once, with what its form needs', async () => {
    const all = await providers();
    const keys = all.map(({ channel, id }) => `${channel}/${id}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(all.find(({ id }) => id === 'postmark')).toEqual({
      id: 'postmark',
      channel: 'email',
      name: 'Postmark',
      canSend: true,
      canCheck: true,
      docs: expect.stringMatching(/^https:/),
      setup: [],
      presets: [],
      credentials: expect.arrayContaining([
        {
          key: 'apiKey',
          type: 'string',
          required: true,
          secret: true,
          label: 'Server API token',
          description: 'Server API token',
          where: expect.stringContaining('API Tokens'),
          rare: false,
        },
        expect.objectContaining({ key: 'from', required: true, secret: false }),
      ]),
    });
    const smtp = all.find(({ id }) => id === 'nodemailer');
    expect(smtp?.['presets']).toContainEqual({
      name: 'Gmail',
      credentials: { host: 'smtp.gmail.com', port: '587', requireTls: true },
    });
    expect(smtp?.['setup']).not.toEqual([]);
    expect(smtp?.credentials.filter(({ rare }) => !rare).map(({ label }) => label)).toEqual([
      ...['Host', 'Port', 'From address', 'From name', 'User', 'Password', 'TLS from the start (port 465)'],
    ]);
    expect(all.find(({ id }) => id === 'novu-email')).toMatchObject({ canSend: false, credentials: [] });
  });

  it('should name enough to make an active integration of each provider that can send', async () => {
    const values: Readonly<Record<string, unknown>> = {
      string: 'value',
      boolean: true,
      object: {},
      'number-string': '25',
    };
    const { publicKey, privateKey } = generateVAPIDKeys();
    const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const pem = signing.export({ type: 'pkcs8', format: 'pem' });
    const ofProviders: Readonly<Record<string, unknown>> = {
      'fcm serviceAccount': JSON.stringify({ project_id: 'p', client_email: 'e', private_key: pem }),
      'apns secretKey': pem,
      'web-push applicationId': publicKey,
      'web-push secretKey': privateKey,
    };
    for (const { id, channel, credentials } of (await providers()).filter(({ canSend }) => canSend)) {
      if (channel === 'in_app') continue;
      const filled = credentials
        .filter(({ required, unless }) => required || unless !== undefined)
        .map(({ key, type }) => [key, valueOf(id, channel, key, type)]);
      const body = { providerId: id, channel, name: unique(id), active: true, credentials: Object.fromEntries(filled) };
      expect(await dataOf<Json>(session.post('/v1/integrations', body), 201)).toMatchObject({
        providerId: id,
        active: true,
      });
    }
    function valueOf(id: string, channel: string, key: string, type: string): unknown {
      if (/url/i.test(key)) return 'https://example.com';
      return ofProviders[`${id} ${key}`] ?? (channel === 'email' && key === 'from' ? 'a@example.com' : values[type]);
    }
  });

  it('should look at a service account when it is saved', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const save = (serviceAccount: string) =>
      session.post('/v1/integrations', {
        providerId: 'fcm',
        channel: 'push',
        active: true,
        credentials: { serviceAccount },
      });
    const account = (key: string): string => JSON.stringify({ project_id: 'p', client_email: 'e', private_key: key });
    for (const wrong of ['no json', '{}', account('no key')]) {
      expect(await faultsOf(save(wrong))).toEqual([
        expect.stringMatching(/^credentials\.serviceAccount must be the text/),
      ]);
    }
    // With the two characters that stand for a line break in JSON.
    await save(account(pem.replaceAll('\n', String.raw`\n`))).expect(201);
  });
});

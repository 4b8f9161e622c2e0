import { generateKeyPairSync } from 'node:crypto';
import { generateVAPIDKeys } from 'web-push';
import { dataOf, type Json } from '../support/answers.js';
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
    description: string;
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
      credentials: expect.arrayContaining([
        { key: 'apiKey', type: 'string', required: true, secret: true, description: 'Server API token' },
        expect.objectContaining({ key: 'from', required: true, secret: false }),
      ]),
    });
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
    const ofProviders: Readonly<Record<string, unknown>> = {
      'fcm serviceAccount': JSON.stringify({ project_id: 'p', client_email: 'e', private_key: 'k' }),
      'apns secretKey': signing.export({ type: 'pkcs8', format: 'pem' }),
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
});

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
    for (const { id, channel, credentials } of (await providers()).filter(({ canSend }) => canSend)) {
      if (channel === 'in_app') continue;
      const filled = credentials
        .filter(({ required, unless }) => required || unless !== undefined)
        .map(({ key, type }) => [key, valueOf(key, type)]);
      const body = { providerId: id, channel, name: unique(id), active: true, credentials: Object.fromEntries(filled) };
      expect(await dataOf<Json>(session.post('/v1/integrations', body), 201)).toMatchObject({
        providerId: id,
        active: true,
      });
    }
    function valueOf(key: string, type: string): unknown {
      return /url/i.test(key) ? 'https://example.com' : values[type];
    }
  });
});

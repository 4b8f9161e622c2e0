import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { TestHerald } from '../../test-herald.mjs';

const PLUGIN = fileURLToPath(new URL('..', import.meta.url));
const CREDENTIALS = { apiKey: 'a-secret-of-acme', acmeProject: 'shop', from: 'Shop' };

describe('the provider of a plugin', () => {
  const requests = [];
  /** What Acme answers next. */
  const answers = [];
  let acme;
  let herald;

  beforeAll(async () => {
    acme = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      requests.push({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: text && JSON.parse(text),
      });
      const { status, body } = answers.shift() ?? { status: 200, body: { message: { id: 'acme-1' } } };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise((resolve) => acme.listen(0, '127.0.0.1', resolve));
    herald = await TestHerald.start({
      HERALD_PLUGINS: PLUGIN,
      PROVIDER_BASE_URLS: `acme-sms=http://127.0.0.1:${acme.address().port}`,
      DELIVERY_RETRY_BASE_MS: '10',
    });
  });
  beforeEach(() => {
    requests.length = 0;
    answers.length = 0;
  });
  afterAll(async () => {
    await herald?.stop();
    acme.close();
  });

  const create = (more) =>
    herald.call('POST', '/v1/integrations', { providerId: 'acme-sms', channel: 'sms', active: true, ...more });

  it('should refuse credentials that lack a required one, and those that Acme refuses', async () => {
    const lacking = await create({ credentials: { apiKey: 'x' } });
    expect(lacking.status).toBe(400);
    expect(String(lacking.body.message)).toContain('credentials.acmeProject is required');

    answers.push({ status: 401, body: { error: { text: 'unknown key a-secret-of-acme' } } });
    const refused = await create({ credentials: CREDENTIALS, check: true });
    expect(refused).toMatchObject({ status: 400, body: { code: 'credential_check_failed' } });
    expect(JSON.stringify(refused.body)).not.toContain(CREDENTIALS.apiKey);
    expect(requests).toMatchObject([{ method: 'GET', url: '/projects/shop' }]);
  });

  it('should send, with the helper in the text, retry what is temporary, and show no secret', async () => {
    expect(await create({ credentials: CREDENTIALS, check: true })).toMatchObject({ status: 201 });
    expect(
      await herald.createWorkflow('Paid', [{ template: { type: 'sms', content: 'Card {{masked card}}' } }]),
    ).toMatchObject({ status: 201 });
    requests.length = 0;
    answers.push({ status: 503, body: { error: { text: 'busy, a-secret-of-acme' } } });
    const { jobs, trail } = await herald.deliver(
      'paid',
      { subscriberId: 'ada', phone: '+431234567' },
      { card: '4111222233334444' },
    );

    expect(jobs).toMatchObject([{ status: 'completed' }]);
    expect(requests.map(({ url, body }) => ({ url, body }))).toEqual([
      { url: '/projects/shop/messages', body: { to: '+431234567', from: 'Shop', text: 'Card ••••••••••••4444' } },
      { url: '/projects/shop/messages', body: { to: '+431234567', from: 'Shop', text: 'Card ••••••••••••4444' } },
    ]);
    const [first, second] = requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toBe(second);
    expect(trail).toContain('Message sent (Success)');
    expect(JSON.stringify(jobs)).not.toContain(CREDENTIALS.apiKey);
    expect(herald.output).not.toContain(CREDENTIALS.apiKey);
  });

  it('should render large texts with the helper, which threads do', async () => {
    const content = `{{#each lines}}{{masked this}} {{/each}}`;
    expect(await herald.createWorkflow('Long', [{ template: { type: 'sms', content } }])).toMatchObject({
      status: 201,
    });
    const lines = Array.from({ length: 3000 }, (_, place) => `line-${10_000 + place}`);
    await herald.deliver('long', { subscriberId: 'ada' }, { lines });
    expect(requests.at(-1).body.text).toMatch(/^••••••0000 ••••••0001 .*••••••2999 $/);
  });

  it('should refuse a template with a helper that does not exist', async () => {
    const { status, body } = await herald.createWorkflow('Typo', [
      { template: { type: 'sms', content: '{{mask card}} {{maskd card}}' } },
    ]);
    expect(status).toBe(400);
    expect(String(body.message)).toContain('there is no helper named "mask"');
  });
});

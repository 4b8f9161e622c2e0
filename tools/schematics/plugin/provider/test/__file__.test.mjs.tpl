import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import './herald-home.mjs';
import { Service } from './service.mjs';
import { TestHerald } from './test-herald.mjs';

const PLUGIN = fileURLToPath(new URL('..', import.meta.url));
const CREDENTIALS = { apiKey: 'a-secret-api-key', from: 'Shop' };

describe('the provider __file__', () => {
  const service = new Service({ id: 'message-1' });
  let herald;

  before(async () => {
    const url = await service.open();
    herald = await TestHerald.start({
      HERALD_PLUGINS: PLUGIN,
      PROVIDER_BASE_URLS: `__file__=${url}`,
      DELIVERY_RETRY_BASE_MS: '10',
    });
    await herald.createWorkflow('Paid', [{ template: { type: 'sms', content: 'Thank you, {{name}}' } }]);
  });
  beforeEach(() => service.reset());
  after(async () => {
    await herald?.stop();
    service.close();
  });

  const integrate = (more) =>
    herald.call('POST', '/v1/integrations', { providerId: '__file__', channel: 'sms', active: true, ...more });

  it('should refuse credentials that lack a required one, and those that the service refuses', async () => {
    const lacking = await integrate({ credentials: {} });
    assert.equal(lacking.status, 400);
    assert.match(String(lacking.body.message), /credentials\.apiKey is required/);

    service.answers.push({ status: 401, body: { error: { message: 'Unknown key' } } });
    const refused = await integrate({ credentials: CREDENTIALS, check: true });
    assert.deepEqual([refused.status, refused.body.code], [400, 'credential_check_failed']);
    assert.deepEqual([service.requests[0].method, service.requests[0].url], ['GET', '/account']);
  });

  it('should send a message, retry what is temporary, and show no secret', async () => {
    const created = await integrate({ credentials: CREDENTIALS });
    assert.equal(created.status, 201);
    service.answers.push({ status: 503 });

    const { jobs, trail } = await herald.deliver('paid', { subscriberId: 'ada', phone: '+431234567' }, { name: 'Ada' });
    assert.deepEqual(jobs.map(({ status }) => status), ['completed']);
    assert.ok(trail.includes('Message sent (Success)'), trail.join('\n'));
    const body = { to: '+431234567', from: 'Shop', text: 'Thank you, Ada' };
    assert.deepEqual(service.requests.map((request) => request.body), [body, body]);
    const keys = new Set(service.requests.map(({ headers }) => headers['idempotency-key']));
    assert.equal(keys.size, 1);
    assert.ok(!JSON.stringify(jobs).includes(CREDENTIALS.apiKey));
  });
});

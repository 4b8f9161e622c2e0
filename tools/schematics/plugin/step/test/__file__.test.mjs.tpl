import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import './herald-home.mjs';
import { Service } from './service.mjs';
import { TestHerald } from './test-herald.mjs';

const PLUGIN = fileURLToPath(new URL('..', import.meta.url));

describe('steps of the type __file__', () => {
  const service = new Service({ id: 'id-1' });
  let herald;

  before(async () => {
    const url = await service.open();
    herald = await TestHerald.start({
      HERALD_PLUGINS: PLUGIN,
      __constant___URL: url,
      DELIVERY_RETRY_BASE_MS: '10',
    });
    const template = { type: '__file__', input: { text: 'Order {{order}}' } };
    await herald.createWorkflow('Late', [{ template }]);
  });
  beforeEach(() => service.reset());
  after(async () => {
    await herald?.stop();
    service.close();
  });

  const deliver = () => herald.deliver('late', { subscriberId: 'ada' }, { order: '4711' });

  it('should refuse a workflow whose input does not fit', async () => {
    const { status, body } = await herald.createWorkflow('Bad', [
      { template: { type: '__file__', input: { text: '' } } },
    ]);
    assert.deepEqual([status, body.message], [400, ['steps.0.template.input.text must not be empty']]);
  });

  it('should call the service with the rendered input, and once more with the same key after a failure', async () => {
    service.answers.push({ status: 503 });
    const { jobs, trail } = await deliver();
    assert.deepEqual(jobs.map(({ status }) => status), ['completed']);
    const body = { text: 'Order 4711', subscriberId: 'ada' };
    assert.deepEqual(service.requests.map((request) => request.body), [body, body]);
    const keys = new Set(service.requests.map(({ headers }) => headers['idempotency-key']));
    assert.equal(keys.size, 1);
    assert.ok(trail.includes('Service called (Success)'), trail.join('\n'));
  });

  it('should fail if the service refuses the request', async () => {
    service.answers.push({ status: 400 });
    const { jobs } = await deliver();
    assert.deepEqual(jobs.map(({ status }) => status), ['failed']);
    assert.equal(service.requests.length, 1);
  });
});

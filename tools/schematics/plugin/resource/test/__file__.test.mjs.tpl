import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import './herald-home.mjs';
import { TestHerald } from './test-herald.mjs';

const PLUGIN = fileURLToPath(new URL('..', import.meta.url));
const UNKNOWN = '64f0c1a2b3c4d5e6f7a8b9c0';

describe('/v1/__files__', () => {
  let herald;
  before(async () => {
    herald = await TestHerald.start({ HERALD_PLUGINS: PLUGIN });
  });
  after(() => herald?.stop());

  const create = (name) => herald.call('POST', '/v1/__files__', { name });
  const outcome = ({ status, body }) => [status, body?.code];

  it('should need an API key', async () => {
    const { status } = await fetch(`${herald.url}/v1/__files__`);
    assert.equal(status, 401);
  });

  it('should create, list, change and delete', async () => {
    const created = await create('First');
    assert.deepEqual([created.status, created.body.data.name], [201, 'First']);
    const path = `/v1/__files__/${created.body.data._id}`;
    const changed = await herald.call('PUT', path, { name: 'Other' });
    assert.deepEqual([changed.status, changed.body.data.name], [200, 'Other']);
    const { body } = await herald.call('GET', '/v1/__files__');
    assert.deepEqual(body.data.map(({ name }) => name), ['Other']);
    assert.equal((await herald.call('DELETE', path)).status, 204);
    assert.deepEqual(outcome(await herald.call('DELETE', path)), [404, '__code___not_found']);
  });

  it('should have each name once', async () => {
    await create('Once');
    assert.deepEqual(outcome(await create('Once')), [409, '__code___already_exists']);
    const { body } = await create('Twice');
    const renamed = await herald.call('PUT', `/v1/__files__/${body.data._id}`, { name: 'Once' });
    assert.deepEqual(outcome(renamed), [409, '__code___already_exists']);
  });

  it('should refuse a body that does not fit, and ids that there are not', async () => {
    assert.deepEqual(outcome(await create(7)), [400, 'validation_failed']);
    const unknown = await herald.call('PUT', `/v1/__files__/${UNKNOWN}`, { name: 'x' });
    assert.deepEqual(outcome(unknown), [404, '__code___not_found']);
    assert.equal((await herald.call('DELETE', '/v1/__files__/x')).status, 400);
  });

  it('should be in the OpenAPI document', async () => {
    const { body } = await herald.call('GET', '/openapi.json');
    const { summary, tags } = body.paths['/v1/__files__'].post;
    assert.deepEqual([summary, tags], ['Creates __aText__.', ['__Texts__']]);
  });
});

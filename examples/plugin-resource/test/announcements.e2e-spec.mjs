import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { sharedStore, TestHerald } from '../../test-herald.mjs';

const PLUGIN = fileURLToPath(new URL('..', import.meta.url));

/** What `npm run build` does; the types are checked with those of the project. */
function build() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', PLUGIN, '--noCheck'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}

describe('the resource of a plugin', () => {
  let herald;

  beforeAll(async () => {
    build();
    herald = await TestHerald.start({ ...sharedStore('plugin_resource'), HERALD_PLUGINS: PLUGIN });
  });
  afterAll(() => herald?.stop());

  const announcement = { title: 'Summer sale', text: 'Everything is half the price.' };

  it('should need a key', async () => {
    const response = await fetch(`${herald.url}/v1/announcements`);
    expect(response.status).toBe(401);
  });

  it('should create, list and delete, each title once', async () => {
    const created = await herald.call('POST', '/v1/announcements', announcement);
    expect(created).toMatchObject({ status: 201, body: { data: { ...announcement, audience: 'everyone' } } });
    expect(await herald.call('POST', '/v1/announcements', announcement)).toMatchObject({
      status: 409,
      body: { code: 'announcement_already_exists' },
    });
    expect((await herald.call('GET', '/v1/announcements')).body.data).toHaveLength(1);
    const path = `/v1/announcements/${created.body.data._id}`;
    expect((await herald.call('DELETE', path)).status).toBe(204);
    expect(await herald.call('DELETE', path)).toMatchObject({ status: 404, body: { code: 'announcement_not_found' } });
    expect((await herald.call('POST', '/v1/announcements', announcement)).status).toBe(201);
  });

  it('should name every fault of a body', async () => {
    const { status, body } = await herald.call('POST', '/v1/announcements', { title: 7, audience: 'nobody' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_failed' });
    expect(String(body.message)).toMatch(/title.*text.*audience/s);
  });

  it('should refuse a key that may only read, and show nothing to another environment', async () => {
    const reader = await herald.call('POST', '/v1/environments/api-keys', { name: 'test', scopes: ['read'] });
    expect(reader.status).toBe(201);
    const { key } = reader.body.data;
    expect((await herald.call('GET', '/v1/announcements', undefined, key)).status).toBe(200);
    expect((await herald.call('POST', '/v1/announcements', { ...announcement, title: 'x' }, key)).status).toBe(403);
    const other = herald.issueKey('Production');
    expect((await herald.call('GET', '/v1/announcements', undefined, other)).body.data).toEqual([]);
  });

  it('should be in the OpenAPI document, with scopes and errors', async () => {
    const { body } = await herald.call('GET', '/openapi.json');
    expect(body.paths['/v1/announcements'].post).toMatchObject({
      operationId: 'createAnnouncement',
      summary: 'Creates an announcement.',
      tags: ['Announcements'],
      'x-herald-scope': 'write',
      responses: { 201: {}, 400: {}, 401: {}, 409: {} },
    });
    expect(body.components.schemas.CreateAnnouncementDto.required).toEqual(['title', 'text']);
  });

  it('should refuse to start twice under one name, and say so in one line', async () => {
    const { code, output } = await TestHerald.refusal({ HERALD_PLUGINS: `${PLUGIN},${PLUGIN}/dist/index.js` });
    expect(code).toBe(1);
    expect(output).toMatch(/^herald: The plugin 'herald-plugin-example-resource' cannot be loaded: two plugins .*\n$/);
  });
});

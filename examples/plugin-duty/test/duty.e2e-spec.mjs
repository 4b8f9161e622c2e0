import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedStore, TestHerald } from '../../test-herald.mjs';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));
const INSTALLED = process.env.HERALD_HOME;

/**
 * With an installed Herald, the plugin is compiled as one of a stranger: in a folder of its own, with the types of that package, by the
 * TypeScript beside it. In a clone, its types are checked with those of the project.
 */
function build() {
  if (INSTALLED === undefined) {
    compile(createRequire(import.meta.url).resolve('typescript/bin/tsc'), SOURCE, '--noCheck');
    return SOURCE;
  }
  const packages = dirname(INSTALLED);
  const folder = join(packages, '..', 'plugin-duty');
  cpSync(SOURCE, folder, { recursive: true, filter: (path) => basename(path) !== 'dist' });
  compile(join(packages, 'typescript', 'bin', 'tsc'), folder);
  return folder;
}

function compile(tsc, folder, ...options) {
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}

describe('a plugin with all that plugins add', () => {
  const pages = [];
  let pager;
  let herald;

  beforeAll(async () => {
    pager = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      pages.push({ url: request.url, key: request.headers['idempotency-key'], body: JSON.parse(text) });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"page":{"id":"p-1"}}');
    });
    await new Promise((resolve) => pager.listen(0, '127.0.0.1', resolve));
    herald = await TestHerald.start({
      ...sharedStore('plugin_duty'),
      HERALD_PLUGINS: build(),
      DUTY_FROZEN_TEAMS: 'treasury,law',
      PROVIDER_BASE_URLS: `duty-pager=http://127.0.0.1:${pager.address().port}`,
    });
  });
  afterAll(async () => {
    await herald?.stop();
    pager.close();
  });

  it('should say who is on duty, unless its guard refuses', async () => {
    const put = (team, body) => herald.call('PUT', `/v1/duties/${team}`, body);
    expect(await put('payments', { subscriberId: 'bea' })).toMatchObject({
      status: 200,
      body: { data: { team: 'payments', subscriberId: 'bea', reason: 'By the plan' } },
    });
    expect(await put('payments', { subscriberId: 'ada', reason: 'Bea is ill' })).toMatchObject({ status: 200 });
    expect((await herald.call('GET', '/v1/duties')).body.data).toMatchObject([
      { team: 'payments', subscriberId: 'ada', reason: 'Bea is ill' },
    ]);
    expect(await put('law', { subscriberId: 'ada' })).toMatchObject({
      status: 403,
      body: { code: 'duty_team_frozen' },
    });
    expect((await put('payments', {})).status).toBe(400);
    const other = herald.issueKey('Production');
    expect((await herald.call('GET', '/v1/duties', undefined, other)).body.data).toEqual([]);
  });

  it('should find who is on duty with a service of its module, and page by its provider', async () => {
    const created = await herald.call('POST', '/v1/integrations', {
      providerId: 'duty-pager',
      channel: 'sms',
      active: true,
      credentials: { apiKey: 'a-key-of-the-pager' },
    });
    expect(created.status).toBe(201);
    const made = await herald.createWorkflow('Outage', [
      { uuid: 'duty', template: { type: 'find-on-duty', input: { team: '{{team}}' } } },
      { template: { type: 'sms', content: 'Call {{step.outputs.duty.subscriberId}}' } },
    ]);
    expect(made.status).toBe(201);
    const to = { subscriberId: 'boss', phone: '+4915123456789' };
    const { trail } = await herald.deliver('outage', to, { team: 'payments' });
    expect(trail.join()).toContain('Found who is on duty (Success)');
    expect(pages).toMatchObject([{ url: '/pages', body: { number: '+4915123456789', text: 'Call ada' } }]);
    const nobody = await herald.deliver('outage', to, { team: 'kitchen' });
    expect(nobody.trail.join()).toContain('Step of a plugin was skipped');
  });

  it('should have a page in the console that holds no session', async () => {
    const console = await (await fetch(`${herald.url}/console`)).text();
    const [, listed] = /data-pages="([^"]*)"/.exec(console);
    expect(JSON.parse(listed.replaceAll('&#34;', '"'))).toEqual([
      { plugin: 'herald-plugin-example-duty', path: 'duties', label: 'Duties', routes: ['/v1/duties'] },
    ]);
    const page = await fetch(`${herald.url}/console/plugin-frames/herald-plugin-example-duty/duties`);
    expect(page.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts;default-src 'none';/);
    expect(await page.text()).toMatch(/^<!doctype html>[^]*globalThis\.herald =[^]*<tbody id="duties">/);
  });

  it('should have carried out its migration once, and be in the documents', async () => {
    const { body } = await herald.call('GET', '/openapi.json');
    expect(body.paths['/v1/duties/{team}'].put).toMatchObject({ operationId: 'putDuty', 'x-herald-scope': 'write' });
    const types = await herald.call('GET', '/v1/step-types');
    expect(types.body.data.find(({ type }) => type === 'find-on-duty')).toMatchObject({ label: 'Find who is on duty' });
  });
});

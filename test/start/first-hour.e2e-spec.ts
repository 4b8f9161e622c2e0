import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKeys } from '../support/keys-command.js';
import { type ProgramEnd, runProgram } from '../support/program.js';
import { SignedInBrowser } from '../support/signed-in-browser.js';
import { StartedHerald } from '../support/started-herald.js';

const failedStart = (settings: Record<string, string>, cwd: string): Promise<ProgramEnd> =>
  runProgram('bundle/main.js', [], { PORT: '0', LOG_LEVEL: 'error', ...settings }, cwd);

/** The first starts of Herald as a process of its own. */
describe('the first hour', () => {
  let folder: string;
  let dataDir: string;
  let started: StartedHerald[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'herald-first-'));
    dataDir = join(folder, 'data');
    started = [];
  });
  afterEach(async () => {
    await Promise.all(started.map((herald) => herald.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const start = async (settings: Record<string, string> = {}, at = dataDir): Promise<StartedHerald> => {
    const herald = await StartedHerald.start(at, settings, folder);
    started.push(herald);
    return herald;
  };
  const stop = async (herald: StartedHerald): Promise<void> => {
    await herald.end('SIGTERM');
    started = started.filter((one) => one !== herald);
  };
  const fail = (settings: Record<string, string> = {}, at = dataDir): Promise<ProgramEnd> =>
    failedStart({ DATA_DIR: at, ...settings }, folder);

  it('should say at each start where the key is, and print a link for the first person once, who owns both environments', async () => {
    const first = await start();
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    const welcome = await first.welcome();
    expect(welcome).toContain(`API key   ${key}   (kept in ${join(dataDir, 'api-key')})`);
    const link = /http\S+\/console\/invitation#(\S+)/.exec(welcome);
    const browser = new SignedInBrowser(first.url);
    expect(link?.[0]).toContain(first.url);
    const body = { email: 'Ada@Example.com ', name: 'Ada' };
    const { email, environments } = await browser.accept(link?.[1] ?? '', body);
    expect([email, environments.map(({ name, role }) => `${name} ${role}`)]).toEqual([
      'ada@example.com',
      ['Development owner', 'Production owner'],
    ]);
    await stop(first);

    const second = await start();
    const again = await second.welcome();
    expect(again).toContain(`API key   kept in ${join(dataDir, 'api-key')}`);
    expect(again).not.toContain('/console/invitation#');
    // People and sessions survive a restart.
    const later = Object.assign(new SignedInBrowser(second.url), { cookie: browser.cookie });
    await later.get('/v1/users').expect(200);
    await stop(second);

    const third = await start({ API_KEY: 'a-key-of-16-or-more' });
    expect(await third.welcome()).toContain('API key   as set by API_KEY');
  });

  it('should print the link with a key that is set as well, and only once', async () => {
    const first = await start({ API_KEY: 'a-key-of-16-or-more' });
    expect(await first.welcome()).toMatch(/API key +as set by API_KEY[^]*\/console\/invitation#\S+/);
    await stop(first);
    const second = await start({ API_KEY: 'a-key-of-16-or-more' });
    expect(await second.welcome()).not.toContain('/console/invitation#');
  });

  it('should start on a copy of its data while the original runs, and on no link to it', async () => {
    const original = await start();
    const copy = join(folder, 'copy');
    cpSync(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    expect(existsSync(join(copy, 'store', 'store.lock'))).toBe(true);
    const second = await start({}, copy);
    expect(await second.welcome()).toContain(`kept in ${join(copy, 'api-key')}`);

    const link = join(folder, 'link');
    symlinkSync(dataDir, link);
    for (const path of [dataDir, link, copy]) {
      const refused = await fail({}, path);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is in use by process')]);
    }
    expect((await fetch(`${original.url}/v1/health-check`)).status).toBe(200);
    expect((await fetch(`${second.url}/v1/health-check`)).status).toBe(200);
  });

  it.each<[string, (env: Record<string, string>) => Promise<ProgramEnd>]>([
    ['keys list', (env) => runKeys('list', env)],
    ['keys reseal', (env) => runKeys('reseal', env)],
    ['migrate', (env) => runProgram('apps/admin/src/migrate.js', [], env, folder)],
    ['indexes', (env) => runProgram('apps/admin/src/indexes.js', [], env, folder)],
  ])('should not make a store for %s', async (_command, run) => {
    const { code, out, err } = await run({ DATA_DIR: dataDir });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^There is no Herald store in the directory [^\n]+\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('should end with one line where the encryption key is another one, and reseal everything with a command while a Herald that knows both is running', async () => {
    const running = await start();
    const former = readFileSync(join(dataDir, 'encryption-key'), 'utf8').trim();
    const settings = {
      STORE_ENCRYPTION_KEY: 'the new key of 32 or more characters',
      STORE_ENCRYPTION_OLD_KEYS: former,
    };
    expect((await runKeys('reseal', { DATA_DIR: dataDir, ...settings })).err).toContain('Restart every Herald');
    await stop(running);
    const refused = await fail({ STORE_ENCRYPTION_KEY: 'another key of 32 or more characters' });
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(/^herald: The encryption key does not fit this store: [^\n]+\n$/);
    const restarted = await start(settings);
    const { code, out, err } = await runProgram(
      'apps/admin/src/keys.js',
      ['reseal'],
      { DATA_DIR: dataDir, ...settings },
      folder,
    );
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('apiKeys.sealed: 1 of 1');
    await stop(restarted);
    await start({ STORE_ENCRYPTION_KEY: settings.STORE_ENCRYPTION_KEY });
  });
});

describe('a first start', () => {
  let dataDir: string;
  let refused: ProgramEnd;
  let hadKey: boolean;
  let herald: StartedHerald;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-first-'));
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    refused = await failedStart({ PORT: String(port), DATA_DIR: dataDir }, dataDir);
    await new Promise((resolve) => other.close(resolve));
    hadKey = existsSync(join(dataDir, 'api-key'));
    herald = await StartedHerald.start(dataDir, {}, dataDir);
  });
  afterAll(async () => {
    await herald.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it('should make no key while the port is taken, and tell of it when it is free', async () => {
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('set PORT to another one')]);
    expect(hadKey).toBe(false);
    expect(await herald.welcome()).toContain('trigger hello --to ada --wait');
  });

  it('should lead browsers to Swagger UI and tell others where everything is', async () => {
    const { url } = herald;
    const browser = await fetch(url, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/api']);
    const other = await fetch(url);
    expect([other.status, await other.json()]).toEqual([200, expect.objectContaining({ documentation: '/api' })]);
  });

  it('should keep its data from other users of the machine', () => {
    const files = ['store/data.mdb', 'store/lock.mdb', 'api-key', 'encryption-key'];
    expect(files.map((name) => statSync(join(dataDir, name)).mode & 0o077)).toEqual(files.map(() => 0));
  });
});

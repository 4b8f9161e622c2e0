import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from '#libs/config';
import { replaceSecretFile } from '#libs/secrets';
import { workerStore } from '../../../test/harness/index.js';
import { clientOf } from '../../../test/support/client.js';
import { useTestApi } from '../../../test/support/test-api.js';
import { type KeyCommand, parseKeyCommand } from '../src/keys/key-command.js';
import { remoteKeys, RemoteKeysError } from '../src/keys/remote-keys.js';
import { type KeyBook, runKeyCommand } from '../src/keys/run-key-command.js';
import { withStoredKeys } from '../src/keys/stored-keys.js';

/** The key that every test application has in its default environment. */
const DEFAULT_KEY = 'key-of-the-default-environment';
const SETTINGS = { STORE_ENCRYPTION_KEY: 'a key for tests only, of 32 or more characters' };

const api = useTestApi({});
let dataDir: string;
let config: AppConfig;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'herald-keys-'));
  const { port } = new URL(api.url);
  config = AppConfig.from({ ...SETTINGS, PORT: port, DATA_DIR: dataDir });
});
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

const worksAs = async (key: string): Promise<number> =>
  (await fetch(`${api.url}/v1/environments/me`, { headers: { authorization: `ApiKey ${key}` } })).status;
const idOf = (text: string): string => /\(([0-9a-f]{24})\)/.exec(text)?.[1] ?? '';

const ways: [string, <R>(use: (keys: KeyBook) => Promise<R>) => Promise<R>, object][] = [
  [
    'through the store',
    (use) => withStoredKeys(config, workerStore(), 'Development', use),
    { actor: { type: 'command_line', name: 'command line' }, via: 'command', ip: '', userAgent: 'herald keys' },
  ],
  [
    'through a running Herald',
    async (use) => {
      const withKey = AppConfig.from({ ...SETTINGS, PORT: new URL(api.url).port, API_KEY: DEFAULT_KEY });
      return use(await remoteKeys(withKey, 'Development'));
    },
    { actor: { type: 'api_key' }, via: 'api', userAgent: 'herald keys' },
  ],
];

describe.each(ways)('npm run herald -- keys, %s', (_way, withKeys, actor) => {
  const run = (line: string): Promise<string> =>
    withKeys((keys) => runKeyCommand(parseKeyCommand(line.split(' ')) as KeyCommand, keys, dataDir));

  it('should issue, list, rotate and revoke', async () => {
    const issued = await run('issue --name robot --expires 2099-01-01');
    const [key = ''] = issued.split('\n');
    expect(issued).toContain("'robot'");
    expect(issued).toContain('expires at 2099-01-01 00:00 UTC');
    expect(await worksAs(key)).toBe(200);

    const listed = await run('list');
    expect(listed).toMatch(new RegExp(`^${idOf(issued)}  robot .*2099-01-01 00:00$`, 'm'));
    expect(listed).not.toContain(key);

    const rotated = await run(`rotate ${idOf(issued)}`);
    const [fresh = ''] = rotated.split('\n');
    expect(await worksAs(fresh)).toBe(200);

    expect(await run(`revoke ${idOf(rotated)}`)).toBe(`Revoked ${idOf(rotated)}.`);
    expect(await run('list')).not.toContain(idOf(rotated));
  });

  it('should leave an entry in the audit log for each change, and none for what is refused', async () => {
    const issued = await run('issue --name audited --scopes read');
    const rotated = await run(`rotate ${idOf(issued)}`);
    await run(`revoke ${idOf(rotated)}`);
    await expect(run(`revoke ${idOf(rotated)}`)).rejects.toThrow('no API key with the id');
    const { entries } = await clientOf({ baseUrl: api.url, apiKey: DEFAULT_KEY }).auditLog.listAuditLog({
      query: { resourceType: 'api-key', limit: 3 },
    });
    const resource = { type: 'api-key', name: 'audited' };
    const by = { ...actor, outcome: 'done' };
    expect(entries).toMatchObject([
      { ...by, action: 'revokeApiKey', resource: { ...resource, id: idOf(rotated) } },
      { ...by, action: 'rotateApiKey', resource: { ...resource, id: idOf(rotated) } },
      { ...by, action: 'issueApiKey', resource: { ...resource, id: idOf(issued) } },
    ]);
    expect(entries[2]?.changes).toEqual(
      expect.arrayContaining([
        { path: 'name', after: 'audited' },
        { path: 'scopes.0', after: 'read' },
      ]),
    );
    expect(entries[0]?.changes).toContainEqual({ path: 'name', before: 'audited' });
    expect(JSON.stringify(entries)).not.toContain(issued.split('\n')[0]);
    expect(JSON.stringify(entries)).not.toContain(rotated.split('\n')[0]);
  });

  it('should list, issue and rotate for programs', async () => {
    const json = async (line: string): Promise<unknown> => JSON.parse(await run(`${line} --json`));
    const issued = (await json('issue --name script --scopes read')) as { id: string; key: string };
    expect(issued).toMatchObject({ name: 'script', scopes: ['read'] });
    expect(await worksAs(issued.key)).toBe(200);
    const rows = (await json('list')) as { id: string }[];
    const row = rows.find(({ id }) => id === issued.id) ?? {};
    expect(Object.keys(row)).toEqual(expect.arrayContaining(['id', 'name', 'scopes', 'createdAt']));
    expect(JSON.stringify(rows)).not.toContain(issued.key);
    const rotated = (await json(`rotate ${issued.id}`)) as { id: string; key: string };
    expect(await worksAs(rotated.key)).toBe(200);
    await run(`revoke ${rotated.id}`);
  });

  it('should issue a key with scopes, and keep them', async () => {
    const issued = await run('issue --name reader --scopes read');
    expect(issued).toContain('has the scopes read and does not expire');
    expect(await run('list')).toMatch(new RegExp(`^${idOf(issued)}  reader  +read  `, 'm'));
    const rotated = await run(`rotate ${idOf(issued)}`);
    expect(rotated).toContain('has the scopes read and');
    const [key = ''] = rotated.split('\n');
    const call = (method: string): Promise<Response> =>
      fetch(`${api.url}/v1/feeds`, { method, headers: { authorization: `ApiKey ${key}` } });
    expect([(await call('GET')).status, (await call('POST')).status]).toEqual([200, 403]);
    await run(`revoke ${idOf(rotated)}`);
  });

  it('should keep the key in the data folder up to date', async () => {
    const issued = await run('issue --name first');
    replaceSecretFile(dataDir, 'api-key', issued.split('\n')[0] ?? '');
    const rotated = await run(`rotate ${idOf(issued)}`);
    expect(rotated).toContain('now contains the new key');
    const file = join(dataDir, 'api-key');
    expect(readFileSync(file, 'utf8').trim()).toBe(rotated.split('\n')[0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run(`revoke ${idOf(rotated)}`)).toContain('was deleted');
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('should say that there is no such key', async () => {
    await expect(run('revoke 0123456789abcdef01234567')).rejects.toThrow('no API key with the id');
  });
});

describe('herald keys', () => {
  it('should name the command that was typed', () => {
    const usage = execFileSync(process.execPath, ['bin/herald.mjs', 'keys', '--help'], { encoding: 'utf8' });
    expect(usage).toContain('Usage: npm run herald -- keys <command>');
  });

  it('should reach the other environment through the store', async () => {
    const issued = await withStoredKeys(config, workerStore(), 'Production', (keys) => keys.issue({ name: 'prod' }));
    const herald = clientOf({ baseUrl: api.url, apiKey: issued.key });
    expect((await herald.environments.getCurrentEnvironment()).name).toBe('Production');
  });

  it.each([
    ['no key is at hand', {}, 'Development', 'Set API_KEY'],
    ['the key is of another environment', { API_KEY: DEFAULT_KEY }, 'Production', 'belongs to Development'],
    ['the key is unknown', { API_KEY: 'unknown-but-long-enough' }, 'Development', 'unknown, revoked or expired'],
    ['nobody listens', { API_KEY: DEFAULT_KEY, PORT: '1' }, 'Development', 'no Herald process responds'],
  ])('should say what to do when %s', async (_case, settings, environment, text) => {
    const settled = AppConfig.from({ PORT: new URL(api.url).port, DATA_DIR: join(dataDir, 'none'), ...settings });
    const failing = remoteKeys(settled, environment);
    await expect(failing).rejects.toThrow(RemoteKeysError);
    await expect(failing).rejects.toThrow(text);
  });
});

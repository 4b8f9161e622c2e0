import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKeys } from '../../../test/support/keys-command.js';
import { type ProgramEnd, runProgram } from '../../../test/support/program.js';
import { StartedHerald, TEST_KEY } from '../../../test/support/started-herald.js';

/** As after `npm start`: Herald holds the embedded store, and there is a key of Development only. */
describe('herald keys while Herald holds the embedded store', () => {
  let dataDir: string;
  let herald: StartedHerald;
  type Run = (line: string, env?: Record<string, string>) => Promise<ProgramEnd>;
  /** The built program, in a process of its own. */
  const program: Run = (line, env) =>
    runProgram('apps/admin/src/keys.js', line.split(' '), { DATA_DIR: dataDir, PORT: portOf(herald), ...env }, dataDir);
  /** What that process runs, in this one. */
  const keys: Run = (line, env) => runKeys(line, { DATA_DIR: dataDir, PORT: portOf(herald), ...env });
  const portOf = ({ url }: StartedHerald): string => new URL(url).port;
  const environmentOf = async (key: string): Promise<unknown> => {
    const answer = await fetch(`${herald.url}/v1/environments/me`, { headers: { authorization: `ApiKey ${key}` } });
    return ((await answer.json()) as { data?: { name: string } }).data?.name ?? answer.status;
  };

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-keys-'));
    herald = await StartedHerald.start(dataDir, { API_KEY: TEST_KEY });
    await herald.welcome();
  });
  afterAll(async () => {
    await herald.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it('should issue the first key of Production, list and revoke it', async () => {
    const issued = await program('issue --environment Production --name web --scopes read,trigger', {
      API_KEY: TEST_KEY,
    });
    expect(issued).toMatchObject({ code: 0, err: '' });
    const [key = ''] = issued.out.split('\n');
    const [, id = ''] = /\(([0-9a-f]{24})\)/.exec(issued.out) ?? [];
    expect(await environmentOf(key)).toBe('Production');
    const listed = await keys('list --environment Production');
    expect(listed.out).toMatch(new RegExp(`^${id}  web  +trigger,read `, 'm'));
    // Another key with the scope admin has to stay.
    await keys('issue --environment Production --name admin');
    expect(await keys(`revoke ${id} --environment Production`)).toMatchObject({ code: 0, out: `Revoked ${id}.\n` });
    expect((await keys('list --environment Production')).out).not.toContain(id);
  });

  it('should need neither a key nor the port', async () => {
    const { code, out } = await keys('issue --name rescue', { PORT: '1' });
    expect(code).toBe(0);
    expect(await environmentOf(out.split('\n')[0] ?? '')).toBe('Development');
  });

  it('should not give more than the key that is named allows', async () => {
    const [reader = ''] = (await keys('issue --scopes read', { API_KEY: TEST_KEY })).out.split('\n');
    const { code, err } = await keys('issue --name more', { API_KEY: reader });
    expect([code, err]).toEqual([1, expect.stringMatching(/admin/)]);
  });

  it('should be for the owner of the data folder only', () => {
    expect(statSync(join(dataDir, 'store', 'mongo.sock')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'store')).mode & 0o077).toBe(0);
  });
});

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram, runProgram } from '../../../test/support/program.js';
import { StartedHerald, TEST_KEY } from '../../../test/support/started-herald.js';
import { backupStore, readContent } from '../src/moving/backup-store.js';
import { restoreStore } from '../src/moving/restore-store.js';
import { openPlace } from '../src/moving/store-place.js';

const BACKUP = 'apps/admin/src/backup.js';
const RESTORE = 'apps/admin/src/restore.js';
const report = (): void => undefined;

let folder: string;
let dataDir: string;
let backup: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-backup-'));
  [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup')];
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** A store that no Herald uses. */
async function filledStore(records: number): Promise<void> {
  const place = await openPlace(dataDir, { mayCreate: true });
  const text = 'x'.repeat(1_000);
  await place.db.collection<{ _id: string }>('storeState').insertOne({ _id: 'schema' });
  await place.db.collection('records').insertMany(Array.from({ length: records }, (_, n) => ({ n, text })));
  await place.close();
}

const make = (withKeys = false): ReturnType<typeof backupStore> =>
  backupStore({ dataDir, to: backup, withKeys, report });

/** Starts a program and kills it when the condition is met. */
async function killWhen(path: string, args: string[], isDue: () => boolean): Promise<void> {
  const env = { DATA_DIR: path === RESTORE ? join(folder, 'restored') : dataDir };
  const child = spawn(process.execPath, [...builtProgram(path), ...args], { cwd: folder, stdio: 'ignore', env });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  while (child.exitCode === null && !isDue()) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill('SIGKILL');
  await gone;
  expect(child.signalCode).toBe('SIGKILL');
}

describe('herald backup and herald restore', () => {
  it('should back up a store that Herald is writing to, in a consistent state with which another Herald starts', async () => {
    const herald = await StartedHerald.start(dataDir, { API_KEY: TEST_KEY }, folder);
    let [written, isDone] = [0, false];
    const create = async (): Promise<void> => {
      await herald.client.feeds.createFeed({ body: { name: `Feed ${written}` } });
      written += 1;
    };
    for (let n = 0; n < 5; n++) await create();
    const before = written;
    const writing = (async () => {
      while (!isDone) await create();
    })();
    const { keyIds, createdAt } = await make(true);
    isDone = true;
    await writing;
    expect(await herald.end('SIGTERM')).toBe(0);
    expect(keyIds).toHaveLength(1);
    expect(readdirSync(backup).sort()).toEqual(['backup.json', 'encryption-key', 'store']);
    expect(readdirSync(join(backup, 'store'))).toEqual(['data.mdb']);

    const restored = join(folder, 'restored');
    await restoreStore({ from: backup, dataDir: restored, auditDays: 365, report });
    const second = await StartedHerald.start(restored, { API_KEY: TEST_KEY }, folder);
    const names = (await second.client.feeds.listFeeds()).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(names.map((_name, n) => `Feed ${n}`)));
    expect(names.length).toBeGreaterThanOrEqual(before);
    expect(names.length).toBeLessThanOrEqual(written);
    await second.client.feeds.createFeed({ body: { name: 'After' } });
    const { entries } = await second.client.auditLog.listAuditLog({ query: { resourceType: 'store' } });
    expect(entries).toMatchObject([
      {
        action: 'restoreStore',
        actor: { type: 'command_line', name: 'command line' },
        via: 'command',
        userAgent: 'herald restore',
        outcome: 'done',
        changes: [
          { path: 'backupOf', after: createdAt },
          { path: 'records', after: expect.any(Number) as number },
        ],
      },
    ]);
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('should restore every record as it was', async () => {
    await filledStore(500);
    const { collections } = await make();
    const restored = join(folder, 'restored');
    await restoreStore({ from: backup, dataDir: restored, auditDays: 365, report });
    expect(await readContent(restored)).toMatchObject({ collections });
    expect(await readContent(dataDir)).toMatchObject({ collections });
    expect(collections['records']?.records).toBe(500);
  });

  it('should tell people of its progress, and programs its result only', async () => {
    await filledStore(500);
    const end = await runProgram(BACKUP, ['--to', backup, '--json'], { DATA_DIR: dataDir }, folder);
    expect(JSON.parse(end.out)).toMatchObject({ records: 500, to: backup, withKeys: false });
    expect(end.out.trim().split('\n')).toHaveLength(1);
    const lines: string[] = [];
    await restoreStore({
      from: backup,
      dataDir: join(folder, 'restored'),
      auditDays: 365,
      report: (line) => lines.push(line),
    });
    expect(lines).toEqual(expect.arrayContaining(['copying the data: 100 %']));
    expect(lines.filter((line) => line.startsWith('reading the restored store: ')).at(-1)).toMatch(/ \((\d+) of \1\)$/);
  });

  it('should leave no backup when it is killed, and make one the next time', async () => {
    await filledStore(10_000);
    await killWhen(BACKUP, ['--to', backup], () => existsSync(join(`${backup}.partial`, 'store', 'data.mdb')));
    expect(existsSync(backup)).toBe(false);
    // The killed command's store ends by itself, which takes a moment.
    let end = await runProgram(BACKUP, ['--to', backup], { DATA_DIR: dataDir }, folder);
    for (let tries = 0; end.code !== 0 && tries < 20; tries++)
      end = await runProgram(BACKUP, ['--to', backup], { DATA_DIR: dataDir }, folder);
    expect(end).toMatchObject({ code: 0, out: expect.stringContaining('Backed up 10000 records') as string });
    expect(existsSync(`${backup}.partial`)).toBe(false);
  });

  it('should leave the data folder empty when the restore is killed, and restore the next time', async () => {
    await filledStore(10_000);
    await make();
    const restored = join(folder, 'restored');
    await killWhen(RESTORE, ['--from', backup], () => existsSync(join(restored, 'restoring', 'store', 'data.mdb')));
    expect(existsSync(join(restored, 'store'))).toBe(false);
    const end = await runProgram(RESTORE, ['--from', backup], { DATA_DIR: restored }, folder);
    expect(end).toMatchObject({ code: 0, out: expect.stringContaining('Restored 10000 records') as string });
    expect(await readContent(restored)).toEqual(await readContent(dataDir));
  });

  it('should refuse what would overwrite something, and what is damaged', async () => {
    await filledStore(10);
    await make();
    await expect(make()).rejects.toThrow('is not empty');
    await expect(restoreStore({ from: backup, dataDir, auditDays: 365, report })).rejects.toThrow('is not empty');
    await expect(restoreStore({ from: folder, dataDir, auditDays: 365, report })).rejects.toThrow('is not a backup');
    const data = join(backup, 'store', 'data.mdb');
    const bytes = readFileSync(data);
    bytes[9_000] = (bytes[9_000] ?? 0) ^ 1;
    writeFileSync(data, bytes);
    const restored = join(folder, 'restored');
    await expect(restoreStore({ from: backup, dataDir: restored, auditDays: 365, report })).rejects.toThrow('damaged');
    expect(existsSync(join(restored, 'store'))).toBe(false);
  });

  it('should have all keys, and not replace another encryption key', async () => {
    await filledStore(10);
    const names = ['encryption-key', 'api-key', 'session-secret'];
    for (const name of names) writeFileSync(join(dataDir, name), `one ${name}\n`);
    await make(true);
    const restored = join(folder, 'restored');
    await restoreStore({ from: backup, dataDir: restored, auditDays: 365, report });
    for (const name of names) expect(readFileSync(join(restored, name), 'utf8')).toBe(`one ${name}\n`);
    rmSync(join(restored, 'store'), { recursive: true });
    writeFileSync(join(restored, 'encryption-key'), 'another\n');
    await expect(restoreStore({ from: backup, dataDir: restored, auditDays: 365, report })).rejects.toThrow(
      'a different key',
    );
  });

  it('should exit with 2 for a wrong command line, and with 1 on a MongoDB', async () => {
    for (const program of [BACKUP, RESTORE]) {
      expect(await runProgram(program, [], {}, folder)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/Usage/) as string,
      });
      const args = ['--to', backup, '--from', backup].slice(program === BACKUP ? 0 : 2).slice(0, 2);
      const end = await runProgram(program, args, { MONGODB_URI: 'mongodb://127.0.0.1:1/x' }, folder);
      expect(end).toMatchObject({ code: 1, err: expect.stringMatching(/MONGODB_URI is set/) as string });
    }
  });
});

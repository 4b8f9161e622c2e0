import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { mongo } from 'mongoose';
import { AppConfig } from '#libs/config';
import { doctorProgram } from '../src/doctor/doctor-program.js';
import { backupStore } from '../src/moving/backup-store.js';
import { copyStore } from '../src/moving/copy-store.js';
import { openPlace } from '../src/moving/store-place.js';

const RECORDS = 50;
const report = (): void => undefined;

let folder: string;
let dataDir: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'herald-damaged-'));
  dataDir = join(folder, 'data');
  file = join(dataDir, 'store', 'data.mdb');
  const place = await openPlace(dataDir, { mayCreate: true });
  const records = place.db.collection<{ _id: string; n: number; text: string }>('records');
  await beginStore(place.db);
  await records.createIndex({ n: 1 }, { name: 'numbers' });
  await records.insertMany(
    Array.from({ length: RECORDS }, (_, n) => ({ _id: `record-${n}`, n, text: `text ${n} of a record`.repeat(10) })),
  );
  await place.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** What Herald records first, so that the database is its own. */
async function beginStore(db: mongo.Db): Promise<void> {
  await db.collection<{ _id: string; version: number }>('storeState').insertOne({ _id: 'schema', version: 1 });
}

/** One bit in the text of a record, in all places of the file where it is. */
function damage(n: number): void {
  const bytes = readFileSync(file);
  const text = Buffer.from(`text ${n} of a record`);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
}

async function verify(line: readonly string[] = [], settings: Record<string, string> = {}, env = {}) {
  let [out, err] = ['', ''];
  const code = await doctorProgram(
    ['--verify', ...line],
    { DATA_DIR: dataDir, ...env },
    () => AppConfig.from({ DATA_DIR: dataDir, ...settings }),
    { out: (text) => (out += text), err: (text) => (err += text) },
  );
  return { code, out, err };
}

const SENTENCE = 'he document with _id "record-7" of test.records is not as it was stored.';

describe('herald doctor --verify', () => {
  it('should say that a store is sound, and how much it has read', async () => {
    const { code, out } = await verify();
    expect(out).toContain(
      `is sound: ${RECORDS + 1} documents and ${RECORDS} index entries in 2 collections were read.`,
    );
    expect([code, out.endsWith('1 ok, 0 to look at, 0 failed.\n')]).toEqual([0, true]);
  });

  it('should name each damaged record and what to do, also while the store is in use', async () => {
    damage(7);
    damage(33);
    const { code, out } = await verify(['--json']);
    const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: { sentence: string; advice: string }[] };
    expect([code, ok]).toEqual([1, false]);
    expect(checks.map(({ sentence }) => sentence)).toEqual([`T${SENTENCE.replace('7', '33')}`, `T${SENTENCE}`]);
    expect(checks[0]?.advice).toMatch(/^Move .*\/data\/store away and restore a backup: .*restore .*--from /);
    const place = await openPlace(dataDir, { mayCreate: false });
    try {
      expect((await verify()).out).toContain(SENTENCE);
    } finally {
      await place.close();
    }
  });

  it('should say that the file is cut short', async () => {
    truncateSync(file, Math.floor(statSync(file).size / 8_192) * 4_096);
    const { code, out } = await verify();
    expect([code, out]).toEqual([1, expect.stringMatching(/^fail {2}store: /m)]);
  });

  it('should refuse what it cannot read', async () => {
    expect(await verify([], { MONGODB_URI: 'mongodb://127.0.0.1:1/x' })).toMatchObject({ code: 1 });
    const remote = await verify([], {}, { HERALD_URL: 'http://127.0.0.1:1' });
    expect(remote).toMatchObject({
      code: 2,
      err: expect.stringContaining('reads the store of this machine') as string,
    });
    rmSync(dataDir, { recursive: true });
    expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining('There is no store in') as string });
  });
});

describe('commands that read a damaged store', () => {
  it('should make no backup, list the damage, and say what to do', async () => {
    damage(7);
    const to = join(folder, 'backup');
    const made = backupStore({ dataDir, to, withKeys: false, report });
    await expect(made).rejects.toMatchObject({
      name: 'CommandError',
      message: expect.stringMatching(
        /no backup was made:\n {2}the document with _id "record-7" .*\nMove .* restore /,
      ) as string,
    });
    expect([existsSync(to), existsSync(`${to}.partial`)]).toEqual([false, false]);
  });

  it('should make no copy', async () => {
    damage(7);
    const source = await openPlace(dataDir, { mayCreate: false });
    const target = await openPlace(join(folder, 'copy'), { mayCreate: true });
    try {
      await expect(copyStore(source, target, 0, report)).rejects.toMatchObject({ code: 246 });
    } finally {
      await source.close();
      await target.close();
    }
  });

  it('should say that a store cannot be started because its file is damaged', async () => {
    truncateSync(file, 8_192);
    await expect(openPlace(dataDir, { mayCreate: false })).rejects.toMatchObject({
      name: 'StoreStartError',
      message: expect.stringMatching(
        /could not be started \(SIG\w+\): the data file is .*\. Move .* restore a backup/,
      ) as string,
    });
  });
});

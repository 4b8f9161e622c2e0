import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const APPS = join(process.cwd(), 'dist', 'apps');

/** Compiled files that are programs: they export what the commands call. */
const PROGRAMS = readdirSync(APPS, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^[\w-]+\/src\/[\w-]+\.js$/.test(file))
  .filter((file) => /^export (?:async )?function run\(\)/m.test(readFileSync(join(APPS, file), 'utf8')))
  .sort();

interface End {
  readonly code: number | null;
  readonly said: string;
}

/** With an option that no program has, and nothing that it could change. */
function start(file: string, folder: string): Promise<End> {
  // eslint-disable-next-line no-restricted-properties -- the program is to find nothing of this process but its PATH
  const { PATH = '' } = process.env;
  const env = { PATH, DATA_DIR: folder, HERALD_URL: 'http://127.0.0.1:1', HERALD_API_KEY: 'a-key-that-is-not-known' };
  const child = spawn(process.execPath, [join(APPS, file), '--unknown-option'], { cwd: folder, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}

describe('a compiled program that Node is started with', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'herald-programs-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('should be one of those that the commands call', () => {
    expect(PROGRAMS).toEqual(expect.arrayContaining(['admin/src/backup.js', 'admin/src/keys.js']));
    expect(PROGRAMS).toContain('delivery-worker/src/main.js');
  });

  it.each(PROGRAMS)('should run, and say what is wrong with its line or its settings: %s', async (file) => {
    const { code, said } = await start(file, folder);
    expect(said.trim()).not.toBe('');
    expect(code).toBeGreaterThan(0);
    if (file.startsWith('delivery-worker')) expect(said).toContain('a separate worker needs a MongoDB');
  });
});

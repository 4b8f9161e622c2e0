import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrCreateSecretFile } from './secret-files.js';

describe('readOrCreateSecretFile', () => {
  const root = mkdtempSync(join(tmpdir(), 'secret-files-'));

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('should make a secret for its owner only, and give the same one from then on', () => {
    const dir = join(root, 'a', 'b');
    const made = readOrCreateSecretFile(dir, 'key');
    expect(made.created).toBe(true);
    expect([dir, made.path].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(readOrCreateSecretFile(dir, 'key')).toEqual({ ...made, created: false });
  });

  const ifProc = existsSync('/proc/self') ? it : it.skip;
  ifProc('should give up where the directory cannot be made', () => {
    expect(() => readOrCreateSecretFile('/proc/herald/data', 'key')).toThrow('ENOENT');
  });
});

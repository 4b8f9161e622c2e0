import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDirectory, readOrCreateSecretFile } from './secret-files.js';

const ifProc = existsSync('/proc/self') ? it : it.skip;

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

  ifProc('should give up where the directory cannot be made', () => {
    expect(() => readOrCreateSecretFile('/proc/herald/data', 'key')).toThrow('ENOENT');
  });
});

describe('createDirectory', () => {
  const root = mkdtempSync(join(tmpdir(), 'create-directory-'));

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('should create what is missing above, for its owner only, and take what is there', () => {
    const wanted = join(root, 'a', 'b', 'c');
    createDirectory(wanted);
    createDirectory(wanted);
    expect(statSync(wanted).mode & 0o777).toBe(0o700);
  });

  it('should refuse a file', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => createDirectory(join(root, 'file'))).toThrow('EEXIST');
    expect(() => createDirectory(join(root, 'file', 'x'))).toThrow('ENOTDIR');
  });

  ifProc('should give up where the parent takes no directories', () => {
    expect(() => createDirectory('/proc/herald/store')).toThrow('ENOENT');
  });
});

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDirectory } from './create-directory.js';

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

  const ifProc = existsSync('/proc/self') ? it : it.skip;
  ifProc('should give up where the parent takes no directories', () => {
    expect(() => createDirectory('/proc/herald/store')).toThrow('ENOENT');
  });
});

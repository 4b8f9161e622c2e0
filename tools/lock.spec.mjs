import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
  import { appendFileSync } from 'node:fs';
  import { withLock } from ${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)};
  const [lock, log] = process.argv.slice(1);
  withLock(lock, () => {
    appendFileSync(log, 'in ');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    appendFileSync(log, 'out ');
  });
`;

describe('withLock', () => {
  it('should let one process at a time run', async () => {
    const [lock, log] = [join(folder, 'lock'), join(folder, 'log')];
    const ends = [1, 2, 3].map(
      () =>
        new Promise((resolve) => {
          spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, lock, log]).on('exit', resolve);
        }),
    );
    expect(await Promise.all(ends)).toEqual([0, 0, 0]);
    expect(readFileSync(log, 'utf8')).toBe('in out in out in out ');
    expect(existsSync(lock)).toBe(false);
  });

  it('should take over from a process that died', () => {
    const lock = join(folder, 'lock');
    writeFileSync(lock, '999999999');
    expect(withLock(lock, () => 'done')).toBe('done');
  });

  it('should take over from a process whose id another one has now', () => {
    const lock = join(folder, 'lock');
    writeFileSync(lock, `${process.pid} 1`);
    expect(withLock(lock, () => 'done')).toBe('done');
  });

  it('should report once which process it waits for', () => {
    const lock = join(folder, 'lock');
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(lock, String(other.pid));
    const reported = [];
    const done = withLock(
      lock,
      () => 'done',
      (pid) => {
        reported.push(pid);
        rmSync(lock);
      },
    );
    other.kill();
    expect([done, reported]).toEqual(['done', [other.pid]]);
  });

  it('should release the lock when the work fails', () => {
    const lock = join(folder, 'lock');
    expect(() =>
      withLock(lock, () => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    expect(existsSync(lock)).toBe(false);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PoolBusy, TaskFailed, TaskTimeout, WorkerLost } from './pool.errors.js';
import { WorkerPool } from './worker-pool.js';

/** What `serveTasks` does, in JavaScript: a thread cannot load this library's TypeScript. */
const PROGRAM = `
import { parentPort } from 'node:worker_threads';
const hoard = [];
parentPort.on('message', async (task) => {
  if (task === 'hang') for (;;);
  if (task === 'end') process.exit(1);
  if (task === 'hoard') for (;;) hoard.push(new Array(100_000).fill(Math.random()));
  if (task === 'throw') return parentPort.postMessage({ kind: 'failed', name: 'OddError', message: 'odd' });
  if (task === 'settings') return parentPort.postMessage({ kind: 'done', result: Object.keys(process.env).join() });
  parentPort.postMessage({ kind: 'done', result: task });
});
parentPort.postMessage({ kind: 'ready' });
`;

const folder = mkdtempSync(join(tmpdir(), 'herald-pool-'));
const file = join(folder, 'program.mjs');
const pools: WorkerPool<string, string>[] = [];

beforeAll(() => writeFileSync(file, PROGRAM));
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  rmSync(folder, { recursive: true });
});

function newPool(
  size: number,
  more: { deadlineMs?: number; maxWaiting?: number; memoryMb?: number } = {},
): WorkerPool<string, string> {
  const pool = new WorkerPool<string, string>({ file: () => file, size, deadlineMs: 60_000, ...more });
  pools.push(pool);
  return pool;
}

describe('WorkerPool', () => {
  it('should carry out tasks', async () => {
    const pool = newPool(2);
    const tasks = Array.from({ length: 50 }, (_, index) => `task ${index}`);
    await expect(Promise.all(tasks.map((task) => pool.run(task, task)))).resolves.toEqual(tasks);
  });

  it('should end a task that outlives its deadline, and go on', async () => {
    const pool = newPool(1, { deadlineMs: 100 });
    const [hung, next] = await Promise.allSettled([pool.run('hang', 'a'), pool.run('next', 'b')]);
    expect(hung).toMatchObject({ status: 'rejected', reason: new TaskTimeout(100) });
    expect(next).toEqual({ status: 'fulfilled', value: 'next' });
  });

  it.each(['end', 'hoard'])('should survive a thread that ends: %s', async (task) => {
    const pool = newPool(1, { memoryMb: 32 });
    await expect(pool.run(task, 'a')).rejects.toBeInstanceOf(WorkerLost);
    await expect(pool.run('next', 'a')).resolves.toBe('next');
  });

  it('should pass on what a task throws', async () => {
    await expect(newPool(1).run('throw', 'a')).rejects.toEqual(new TaskFailed('OddError', 'odd'));
  });

  it('should show nothing of the settings to its threads', async () => {
    await expect(newPool(1).run('settings', 'a')).resolves.toBe('');
  });

  it('should let groups take turns', async () => {
    const pool = newPool(1);
    const done: string[] = [];
    const run = (task: string, group: string): Promise<unknown> => pool.run(task, group).then(() => done.push(task));
    await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((task) => run(task, 'a')), run('b1', 'b'), run('c1', 'c')]);
    expect(done.slice(0, 4)).toEqual(['a1', 'a2', 'b1', 'c1']);
  });

  it('should leave a thread to others, whatever one group does', async () => {
    const pool = newPool(2);
    const hung = Promise.allSettled([pool.run('hang', 'a'), pool.run('hang', 'a'), pool.run('hang', 'a')]);
    await expect(pool.run('b1', 'b')).resolves.toBe('b1');
    await pool.close();
    expect((await hung).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('should take no more than may wait, and no group more than half of that', async () => {
    const pool = newPool(1, { maxWaiting: 4 });
    const results = Array.from({ length: 4 }, () => pool.run('hang', 'a'));
    const settled = Promise.allSettled(results);
    await expect(results[3]).rejects.toBeInstanceOf(PoolBusy);
    const other = pool.run('b', 'b').catch((error: Error) => error);
    await pool.close();
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await other).toEqual(new PoolBusy('the pool is closed'));
    await expect(pool.run('late', 'a')).rejects.toBeInstanceOf(PoolBusy);
  });
});

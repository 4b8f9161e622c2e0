import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const LOOK_AGAIN_MS = 100;

/** Does something while no other process does it; waits for one that does. The lock of a process that died is taken over. */
export function withLock(file, work) {
  while (!taken(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  // A process that is ended with exit() leaves no stack behind that could clean up.
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function taken(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = holderOf(file);
    // Asked again, since it may have been released, and taken by another one, while the first one ended.
    if (!isAlive(holder) && holderOf(file) === holder) rmSync(file, { force: true });
    return false;
  }
}

function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // released this moment
  }
}

function isAlive(pid) {
  if (pid === undefined || pid === 0) return true; // not written yet, or gone: look again
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

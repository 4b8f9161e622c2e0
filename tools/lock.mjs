import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const POLL_MS = 100;

/**
 * Runs synchronous work that only one process may run at a time, and waits for a process that runs it. The lock of a dead
 * process is taken over. Locks that expire by time, as those of proper-lockfile, do not fit: they are renewed by a timer,
 * which cannot fire while a build of a minute blocks its process.
 * @param onWait called once with the id of the process that holds the lock
 */
export function withLock(file, work, onWait = () => {}) {
  let isWaiting = false;
  while (!taken(file)) {
    const pid = holderOf(file)?.pid;
    if (!isWaiting && pid !== undefined) {
      isWaiting = true;
      onWait(pid);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  // exit() skips `finally`.
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
    writeFileSync(file, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = holderOf(file);
    // Read again, because the lock may have been released and taken by another process since.
    if (!isAlive(holder) && holderOf(file)?.text === holder?.text) rmSync(file, { force: true });
    return false;
  }
}

function holderOf(file) {
  try {
    const text = readFileSync(file, 'utf8');
    const [pid, started = ''] = text.split(' ');
    return text === '' ? undefined : { text, pid: Number(pid), started };
  } catch {
    return undefined; // just released
  }
}

function isAlive(holder) {
  if (holder === undefined) return true; // not written yet, or gone: look again
  const { pid, started } = holder;
  try {
    process.kill(pid, 0);
    return started === '' || startOf(pid) === started;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** When a process started, if the system says: another process can have the same id later. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the command may contain blanks: fields are counted after its closing bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '';
  }
}

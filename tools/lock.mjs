import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const LOOK_AGAIN_MS = 100;

/**
 * Does something while no other process does it; waits for one that does. The lock of a process that died is taken over.
 * @param onWait told once of the process that is waited for
 */
export function withLock(file, work, onWait = () => {}) {
  let told = false;
  while (!taken(file)) {
    const pid = holderOf(file)?.pid;
    if (!told && pid !== undefined) {
      told = true;
      onWait(pid);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
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
    writeFileSync(file, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = holderOf(file);
    // Asked again, since it may have been released, and taken by another one, while the first one ended.
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
    return undefined; // released this moment
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

/** Tells a process from an earlier one with its number, where the system says when it started. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the command may contain blanks: fields are counted after its closing bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '';
  }
}

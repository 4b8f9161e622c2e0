import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const BEAT_MS = 2000;
/** A lock of another host (a container that shares the directory) counts as dead when it was not touched for so long. */
const STALE_MS = 10_000;

/** The data directory is in use by a live process. */
export class DataDirLockedError extends Error {
  override readonly name = 'DataDirLockedError';

  constructor(
    readonly directory: string,
    readonly owner: string,
  ) {
    super(
      `The data directory ${directory} is in use by ${owner}. Stop that process, or choose another directory with DATA_DIR.`,
    );
  }
}

export interface DataDirLock {
  release(): Promise<void>;
  /** Called when the lock turns out to belong to someone else, which ends the right to write. */
  onLost(listener: () => void): void;
}

interface Owner {
  token: string;
  pid: number;
  /** When that process started, to distinguish it from another one with the same id. */
  started: string;
  host: string;
  /** The process that started that one and starts it again when it ends: the one to stop. */
  launcher?: number;
  /** Device and inode of the directory: a copy of it has the file of the original, and is another directory. */
  directory?: string;
}

/** Takes the directory for this process. A lock left by a dead process is taken over, one of a live process is refused. */
export async function acquireDataDirLock(directory: string): Promise<DataDirLock> {
  const file = join(directory, 'store.lock');
  const mine: Owner = {
    token: randomUUID(),
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    host: hostIdentity(),
    directory: identityOf(directory),
    // Only a forked process has a channel.
    ...(process.connected && { launcher: process.ppid }),
  };
  for (let attempt = 0; attempt < 5; attempt++) {
    if (create(file, mine)) return held(file, mine);
    const owner = read(file);
    if (owner && (await isAlive(file, owner, mine)))
      throw new DataDirLockedError(directory, `process ${toStop(owner, mine)} on ${owner.host.split('/')[0] ?? ''}`);
    removeIfStill(file, owner);
  }
  throw new DataDirLockedError(directory, 'processes that start at the same moment');
}

/** The file appears with its content or not at all, and never replaces another. */
function create(file: string, mine: Owner): boolean {
  const draft = `${file}.${mine.token}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST') return false;
    // file systems without hard links
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return createAtOnce(file, mine);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function createAtOnce(file: string, mine: Owner): boolean {
  try {
    writeFileSync(file, JSON.stringify(mine), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

function removeIfStill(file: string, owner: Owner | undefined): void {
  if (read(file)?.token === owner?.token) rmSync(file, { force: true });
}

async function isAlive(file: string, owner: Owner, mine: Owner): Promise<boolean> {
  if (owner.host === mine.host) {
    // only within one host do these numbers name the same directory
    if (owner.directory !== undefined && owner.directory !== mine.directory) return false;
    return owner.pid !== process.pid && startOf(owner.pid) === owner.started;
  }
  // processes of another host cannot be looked up: their heartbeat decides
  const first = touched(file);
  while (Date.now() - touched(file) < STALE_MS) {
    await wait(200);
    if (touched(file) !== first) return true;
  }
  return false;
}

/** The launcher, unless it is gone and its child ends, too. */
function toStop({ launcher, pid, host }: Owner, mine: Owner): number {
  if (launcher === undefined) return pid;
  return host !== mine.host || startOf(launcher) !== undefined ? launcher : pid;
}

/** Links to a directory have the identity of the directory. */
function identityOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  return `${dev}:${ino}`;
}

function touched(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function held(file: string, mine: Owner): DataDirLock {
  let lost: () => void = () => undefined;
  const timer = setInterval(() => {
    if (read(file)?.token !== mine.token) {
      clearInterval(timer);
      lost();
      return;
    }
    const now = new Date();
    utimesSync(file, now, now);
  }, BEAT_MS);
  timer.unref();
  return {
    onLost: (listener) => (lost = listener),
    release: () => {
      clearInterval(timer);
      removeIfStill(file, mine);
      return Promise.resolve();
    },
  };
}

/** Start time of a process in the system's own units, or undefined when there is none of that number. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      // the command name may contain blanks and brackets: fields are counted after its closing one
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    if (process.platform === 'win32') {
      process.kill(pid, 0);
      return 'unknown';
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/**
 * This boot of this machine, and the namespace in which process numbers mean something: containers can share a name and a boot, and
 * the first process of each has the number 1.
 */
function hostIdentity(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()}/${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

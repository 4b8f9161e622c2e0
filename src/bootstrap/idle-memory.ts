import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 5_000;
/** Of one core, between two looks. The searches for due work of an idle process take a fifth of it. */
const IDLE_PART = 0.05;
const MEGABYTE = 1_048_576;
/** Memory above that at rest that is worth a collection, which stops the process for some 50 ms. */
const WORTH_BYTES = 48 * MEGABYTE;
/** The first collection moves what survives; the next ones free what was around it. */
const MAX_COLLECTIONS = 4;

/** What memory at rest is measured with. */
export interface ProcessMemory {
  /** Memory of the process, in bytes. */
  resident(): number;
  /** Processor time that the process has used, in milliseconds. */
  cpuMs(): number;
  /** Collects all garbage. */
  collect(): void;
}

/**
 * Gives memory back to the system when the process has nothing to do after its start or a peak. V8 keeps what they needed until
 * further work makes it collect, so an idle process would keep about three times what it needs.
 */
export class IdleMemory {
  /** Unknown until the process has been idle for the first time: a start leaves garbage as well. */
  private restingBytes = 0;
  private collections = 0;
  private cpuMs: number;

  constructor(private readonly memory: ProcessMemory) {
    this.cpuMs = memory.cpuMs();
  }

  /** @param elapsedMs since the last look */
  look(elapsedMs: number): void {
    const before = this.cpuMs;
    this.cpuMs = this.memory.cpuMs();
    const isIdle = this.cpuMs - before < elapsedMs * IDLE_PART;
    const bytes = this.memory.resident();
    if (!isIdle || bytes < this.restingBytes + WORTH_BYTES) {
      this.collections = 0;
      return;
    }
    if (this.collections === MAX_COLLECTIONS) {
      // The rest is in use.
      this.restingBytes = bytes;
      this.collections = 0;
      return;
    }
    this.collections += 1;
    this.memory.collect();
    // The collection itself is no sign of work.
    this.cpuMs = this.memory.cpuMs();
  }
}

/** Lets this process give memory back from now on. */
export function giveBackIdleMemory(): void {
  const idle = new IdleMemory(OF_THIS_PROCESS);
  let lookedAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    idle.look(now - lookedAt);
    lookedAt = now;
  }, LOOK_MS).unref();
}

let collectGarbage: (() => void) | undefined;

const OF_THIS_PROCESS: ProcessMemory = {
  resident: () => process.memoryUsage.rss(),
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  collect: () => {
    collectGarbage ??= exposedCollector();
    collectGarbage();
  },
};

/** Node has no other call for it without an option of the command line. */
function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => collect();
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 5_000;
/** Of one core, between two checks. Polling for due work takes a fifth of it. */
const IDLE_PART = 0.05;
const MEGABYTE = 1_048_576;
/** Memory above that at rest that is worth a collection, which stops the process for some 50 ms. */
const WORTH_BYTES = 48 * MEGABYTE;
/** Looks at a process that starts. */
const START_LOOKS = 2;
/** Looks in a row without work before the first collection, if nothing but the start was work. */
const IDLE_LOOKS = 3;
/**
 * After work, a minute: V8 drops the optimized code of functions that no object refers to, which without requests are most of those that answer them. The next
 * thousands of requests cost twice as much.
 */
const IDLE_LOOKS_AFTER_WORK = 12;
/** The first collection moves survivors; the next ones free the space around them. */
const MAX_COLLECTIONS = 4;

export interface ProcessMemory {
  resident(): number;
  cpuMs(): number;
  /** Collects all garbage. */
  collect(): void;
}

/**
 * Returns memory to the system after the start or a peak. V8 keeps it until further work makes it collect, so an idle
 * process would hold about three times what it needs.
 */
export class IdleMemory {
  /** Unknown until the process is first idle: a start leaves garbage as well. */
  private restingBytes = 0;
  private collections = 0;
  private idleLooks = 0;
  private busyLooks = 0;
  private cpuMs: number;

  constructor(private readonly memory: ProcessMemory) {
    this.cpuMs = memory.cpuMs();
  }

  /** @param elapsedMs since the last check */
  look(elapsedMs: number): void {
    const before = this.cpuMs;
    this.cpuMs = this.memory.cpuMs();
    const isIdle = this.cpuMs - before < elapsedMs * IDLE_PART;
    this.idleLooks = isIdle ? this.idleLooks + 1 : 0;
    const bytes = this.memory.resident();
    if (!isIdle) this.busyLooks += 1;
    const isRested = this.idleLooks >= (this.busyLooks <= START_LOOKS ? IDLE_LOOKS : IDLE_LOOKS_AFTER_WORK);
    if (!isRested || bytes < this.restingBytes + WORTH_BYTES) {
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
    // The collection itself is not work.
    this.cpuMs = this.memory.cpuMs();
  }
}

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

/** Without a command-line option, Node offers no other way. */
function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => {
    // Pages that are nearly empty are given back as well.
    setFlagsFromString('--compact-on-every-full-gc');
    collect();
    setFlagsFromString('--no-compact-on-every-full-gc');
  };
}

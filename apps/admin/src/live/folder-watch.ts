import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS } from '../files/kinds.js';

/** Editors write a file in several steps. */
const SETTLE_MS = 100;
/** File systems of containers and networks do not always tell of changes. */
const LOOK_EVERY_MS = 500;

/** Whether the files of definitions in a folder have changed. */
export class FolderWatch {
  private seen = '';
  private hint: (() => void) | undefined;
  private readonly watcher: FSWatcher | undefined;

  constructor(private readonly folder: string) {
    try {
      this.watcher = watch(folder, { recursive: true }, () => this.hint?.());
      this.watcher.on('error', () => undefined);
    } catch {
      // Then it is looked for changes only.
    }
  }

  /** @returns true as soon as files have changed and rest since then; the first time at once; false after `withinMs` */
  async changed(withinMs: number, signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + withinMs;
    for (;;) {
      if (this.signature() !== this.seen) {
        await this.settle(signal);
        return !signal.aborted;
      }
      const left = until - performance.now();
      if (left <= 0 || signal.aborted) return false;
      await Promise.race([
        pause(Math.min(left, LOOK_EVERY_MS), signal),
        new Promise<void>((resolve) => (this.hint = resolve)),
      ]);
    }
  }

  private async settle(signal: AbortSignal): Promise<void> {
    for (let before; before !== this.seen && !signal.aborted;) {
      before = this.signature();
      await pause(SETTLE_MS, signal);
      this.seen = this.signature();
    }
  }

  close(): void {
    this.watcher?.close();
  }

  /** Changes with each file that is saved, added or removed. */
  private signature(): string {
    return JSON.stringify(KINDS.map(({ folder }) => filesIn(join(this.folder, folder))));
  }
}

function filesIn(folder: string): unknown[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => [name, stateOf(join(folder, name))]);
  } catch {
    return [];
  }
}

function stateOf(path: string): unknown {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return [mtimeMs, size, ino];
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}

import { relative } from 'node:path';

const LOOK_EVERY_MS = 60_000;
const LONG_MS = 300_000;
const SHOWN = 20;

/**
 * Names test files that have run for minutes, because a run that hangs otherwise ends without a word of where, and at the end of a run
 * the files that took longest.
 */
export default class SlowFilesReporter {
  #startedAt = new Map();
  #tookMs = new Map();
  #timer;
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
  }

  onRunStart() {
    this.#tookMs.clear();
    this.#timer = setInterval(() => this.#tell(), LOOK_EVERY_MS).unref();
  }

  onTestFileStart({ path }) {
    this.#startedAt.set(path, Date.now());
  }

  onTestFileResult({ path }) {
    this.#tookMs.set(path, Date.now() - this.#startedAt.get(path));
    this.#startedAt.delete(path);
  }

  onRunComplete() {
    clearInterval(this.#timer);
    if (this.#tookMs.size <= SHOWN) return;
    const slowest = [...this.#tookMs].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
    const lines = slowest.map(
      ([path, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(this.#rootDir, path)}`,
    );
    process.stderr.write(`\nThe ${SHOWN} slowest of ${this.#tookMs.size} files:\n${lines.join('\n')}\n`);
  }

  #tell() {
    for (const [path, startedAt] of this.#startedAt) {
      const ms = Date.now() - startedAt;
      if (ms >= LONG_MS) {
        process.stderr.write(`Still running after ${Math.round(ms / 1000)} s: ${path}\n`);
      }
    }
  }
}

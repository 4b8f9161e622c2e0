const LOOK_EVERY_MS = 60_000;
const LONG_MS = 300_000;

/** Names test files that have run for minutes: a run that hangs otherwise ends without a word of where. */
export default class SlowFilesReporter {
  #startedAt = new Map();
  #timer;

  onRunStart() {
    this.#timer = setInterval(() => this.#tell(), LOOK_EVERY_MS).unref();
  }

  onTestFileStart({ path }) {
    this.#startedAt.set(path, Date.now());
  }

  onTestFileResult({ path }) {
    this.#startedAt.delete(path);
  }

  onRunComplete() {
    clearInterval(this.#timer);
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

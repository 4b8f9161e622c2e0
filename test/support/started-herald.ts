import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Herald } from '@herald/client';
import { clientOf } from './client.js';

const PROGRAM = join(process.cwd(), 'dist', 'bundle', 'main.js');

/** Herald as `npm start` runs it: a process of its own, from the built program, with the embedded store. */
export class StartedHerald {
  /** With `TEST_KEY`. */
  readonly client: Herald;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly output: Output,
  ) {
    this.client = clientOf({ baseUrl: url, apiKey: TEST_KEY });
  }

  /**
   * @param dataDir kept by the caller, so that a second start finds what the first one stored
   * @param settings the only ones that the process sees
   * @param cwd must exist
   */
  static async start(dataDir: string, settings: Record<string, string>, cwd = dataDir): Promise<StartedHerald> {
    const child = spawn(process.execPath, [PROGRAM], {
      cwd,
      env: { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = new Output(child);
    return new StartedHerald(child, await output.until(/^ {2}Herald +(http\S+)/m), output);
  }

  /** What it prints at the start, as far as the line about the key. */
  async welcome(): Promise<string> {
    await this.output.until(/^ {2}API key +(.+)\n\n/m);
    return this.output.text;
  }

  /** What it has logged so far. */
  lines(): Record<string, unknown>[] {
    return this.output.text
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** @returns the exit code, or the signal that ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return exitCode ?? String(signalCode);
    const gone = once(this.child, 'exit') as Promise<[number | null, string | null]>;
    this.child.kill(signal);
    const [code, by] = await gone;
    return code ?? by ?? 'unknown';
  }
}

export const TEST_KEY = 'a-key-of-the-started-herald';

class Output {
  text = '';
  private wake: () => void = () => undefined;
  private hasEnded = false;

  constructor(child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
      this.wake();
    });
    child.once('exit', () => {
      this.hasEnded = true;
      this.wake();
    });
  }

  /** The first group of the pattern, as soon as it stands there. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.text)?.[1];
      if (found !== undefined) return found;
      if (this.hasEnded) throw new Error(`Herald ended before it was ready: ${this.text}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

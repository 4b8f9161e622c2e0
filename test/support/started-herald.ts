import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAMS = ['dist/bundle/main.js', 'dist/src/main.js'];

/** Herald as `npm start` runs it: a process of its own, from the built program, with the embedded store. */
export class StartedHerald {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /**
   * @param dataDir kept by the caller, so that a second start finds what the first one stored
   * @param settings the only ones that the process sees
   */
  static async start(dataDir: string, settings: Record<string, string>): Promise<StartedHerald> {
    const program = PROGRAMS.map((path) => join(process.cwd(), path)).find((path) => existsSync(path));
    if (program === undefined) throw new Error('There is no build; node tools/build.mjs makes one.');
    const child = spawn(process.execPath, [program], {
      cwd: dataDir,
      env: { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return new StartedHerald(child, await readyUrl(child));
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `ApiKey ${TEST_KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** @returns the exit code, or the signal that ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    const gone = once(this.child, 'exit') as Promise<[number | null, string | null]>;
    this.child.kill(signal);
    const [code, by] = await gone;
    return code ?? by ?? 'unknown';
  }
}

export const TEST_KEY = 'a-key-of-the-started-herald';

async function readyUrl(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The output of Herald is not read.');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^ {2}Herald +(http\S+)/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error('Herald ended before it was ready.');
}

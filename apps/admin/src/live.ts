import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { liveProgram } from './live/live-program.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** The browser of this machine; nothing happens where there is none. */
function openInBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  child.once('error', () => undefined);
  child.unref();
}

// `herald trigger | tail | dev | mcp | types`: uses a running Herald, over HTTP with an API key.
export async function run(): Promise<void> {
  const ending = new AbortController();
  // A second signal ends the process at once.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  // The reader has gone, such as `head`.
  process.stdout.on('error', () => ending.abort());

  // eslint-disable-next-line no-restricted-properties -- settings of this program; those of Herald are on its side of the network
  process.exitCode = await liveProgram(process.argv.slice(2), process.env, {
    out: (written) => process.stdout.write(written),
    err: (written) => process.stderr.write(written),
    read: (path) => (path === '-' ? text(process.stdin) : readFile(path, 'utf8')),
    open: openInBrowser,
    signal: ending.signal,
  });
}

if (isStartedProgram(import.meta.url)) void run();

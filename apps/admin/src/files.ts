import { createInterface } from 'node:readline/promises';
import { filesProgram } from './files/files-program.js';
import { printable } from './printable.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

// `npm run herald -- pull | push | promote`: workflows as files, over HTTP with an API key.
export async function run(): Promise<void> {
  // eslint-disable-next-line no-restricted-properties -- settings of this program; those of Herald are on its side of the network
  process.exitCode = await filesProgram(process.argv.slice(2), process.env, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    ...(process.stdin.isTTY && process.stdout.isTTY && { ask }),
  });
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${printable(question)} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

if (isStartedProgram(import.meta.url)) void run();

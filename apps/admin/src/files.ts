import { createInterface } from 'node:readline/promises';
import { FILES_USAGE, FilesUsageError, parseFilesCommand } from './files/command.js';
import { printable, printableLines } from './printable.js';
import { EXIT, runFilesCommand, type Terminal } from './files/run-files-command.js';

// `npm run files -- pull | push | promote`: workflows as files, over HTTP with an API key.
const terminal: Terminal = {
  print: (line) => process.stdout.write(`${printable(line)}\n`),
  complain: (line) => process.stderr.write(`${printable(line)}\n`),
  ...(process.stdin.isTTY && process.stdout.isTTY && { ask }),
};

try {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) process.stdout.write(`${FILES_USAGE}\n`);
  else {
    // eslint-disable-next-line no-restricted-properties -- settings of this program; those of Herald are on its side of the network
    const command = parseFilesCommand(args, process.env);
    process.exitCode = await runFilesCommand(command, terminal);
  }
} catch (error) {
  const { message, stack } = error as Error;
  const text = error instanceof FilesUsageError ? message : (stack ?? message);
  process.stderr.write(`${printableLines(text)}\n`);
  process.exitCode = error instanceof FilesUsageError ? EXIT.refused : EXIT.failed;
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${printable(question)} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

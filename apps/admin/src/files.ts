import { createInterface } from 'node:readline/promises';
import { FILES_USAGE, FilesUsageError, parseFilesCommand } from './files/command.js';
import { EXIT, runFilesCommand, type Terminal } from './files/run-files-command.js';

// `npm run files -- pull | push | promote`: workflows as files, over HTTP with an API key.
const terminal: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  ...(process.stdin.isTTY && process.stdout.isTTY && { ask }),
};

try {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) terminal.print(FILES_USAGE);
  else {
    // eslint-disable-next-line no-restricted-properties -- settings of this program; those of Herald are on its side of the network
    const command = parseFilesCommand(args, process.env);
    process.exitCode = await runFilesCommand(command, terminal);
  }
} catch (error) {
  const { message, stack } = error as Error;
  terminal.complain(error instanceof FilesUsageError ? message : (stack ?? message));
  process.exitCode = error instanceof FilesUsageError ? EXIT.refused : EXIT.failed;
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

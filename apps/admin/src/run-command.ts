import { ConfigError } from '#libs/config';
import { StoreUnreachableError } from '#libs/persistence';
import { printable, printableLines } from './printable.js';
import { NoStoreError } from './existing-store.js';

/** The command cannot be carried out; the message says what to do. */
export class CommandError extends Error {
  /** @param exitCode 2 for a wrong command line */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Errors of the store whose text says what to do. */
const SELF_EXPLAINING = new Set(['DataDirLockedError', 'SchemaError']);

/** Runs a command to its end: its text on standard output; an error that the operator can mend as one text, and an exit code. */
export async function runCommand(command: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${printableLines(await command())}\n`);
  } catch (error) {
    process.stderr.write(`${printableLines(explain(error))}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  }
}

function explain(error: unknown): string {
  const { name, message, stack } = error as Error;
  const isExpected =
    [CommandError, ConfigError, NoStoreError, StoreUnreachableError].some((kind) => error instanceof kind) ||
    SELF_EXPLAINING.has(name);
  return isExpected ? message : (stack ?? message);
}

/** Prints the usage and ends the program if the command line asks for it. */
export function answerHelp(args: readonly string[], usage: string): void {
  if (!args.includes('--help') && !args.includes('-h')) return;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

const REPORT_EVERY_MS = 1_000;

/** Writes lines of progress to standard error, at most one a second. */
export function progressReporter(): (line: string) => void {
  let last = 0;
  return (line) => {
    if (Date.now() - last < REPORT_EVERY_MS) return;
    last = Date.now();
    process.stderr.write(`${printable(line)}\n`);
  };
}

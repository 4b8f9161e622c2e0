import { storeFault } from '#libs/common';
import { ConfigError } from '#libs/config';
import { StoreUnreachableError } from '#libs/persistence';
import { printable, printableLines, toJson } from './printable.js';
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
const SELF_EXPLAINING = new Set(['DataDirLockedError', 'UnusableStoreError', 'StoreStartError']);

/** What a command did. */
export interface Outcome {
  /** For people. */
  readonly text: string;
  /** For programs, which ask for it by `--json`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Default: 0. */
  readonly exitCode?: number;
}

/** Of the command lines of `parseArgs`; `outputOf` reads it. */
export const JSON_OPTION = { json: { type: 'boolean' } } as const;
export const JSON_USAGE = '--json        print the result as JSON, and no progress';

/** The outcome in the form that a command line asks for. */
export function outputOf({ text, data }: Outcome, args: readonly string[]): string {
  return isJson(args) ? toJson(data) : printableLines(text);
}

function isJson(args: readonly string[]): boolean {
  return args.includes('--json');
}

/** Runs a command to its end: its outcome on standard output; an error that the operator can mend as one text, and an exit code. */
export async function runCommand(command: () => Promise<Outcome>): Promise<void> {
  try {
    const outcome = await command();
    process.stdout.write(`${outputOf(outcome, process.argv)}\n`);
    if (outcome.exitCode !== undefined) process.exitCode = outcome.exitCode;
  } catch (error) {
    process.stderr.write(`${printableLines(explain(error))}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  }
}

function explain(error: unknown): string {
  const { name, message, stack } = error as Error;
  const isExpected =
    [CommandError, ConfigError, NoStoreError, StoreUnreachableError].some((kind) => error instanceof kind) ||
    SELF_EXPLAINING.has(name) ||
    storeFault(error) === 'damaged';
  return isExpected ? message : (stack ?? message);
}

/** Prints the usage and ends the program if the command line asks for it. */
export function answerHelp(args: readonly string[], usage: string): void {
  if (!args.includes('--help') && !args.includes('-h')) return;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

const REPORT_EVERY_MS = 1_000;

/** Writes lines of progress to standard error, at most one a second, and none for programs. */
export function progressReporter(args: readonly string[] = process.argv): (line: string) => void {
  let last = 0;
  return (line) => {
    if (isJson(args) || Date.now() - last < REPORT_EVERY_MS) return;
    last = Date.now();
    process.stderr.write(`${printable(line)}\n`);
  };
}

/** A part of a whole for a line of progress, such as `42 %`. */
export function percent(part: number, whole: number): string {
  return `${whole <= 0 ? 100 : Math.min(100, Math.floor((part / whole) * 100))} %`;
}

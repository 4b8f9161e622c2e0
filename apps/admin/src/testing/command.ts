import { parseArgs } from 'node:util';
import { commandLine } from '#libs/config';

export class TestUsageError extends Error {}

export interface TestCommand {
  /** Of the workflows and what they refer to. */
  readonly folder: string;
  /** Test files and folders; none: all of the folder. */
  readonly paths: readonly string[];
  /** Only tests whose names contain this text. */
  readonly only?: string;
  /** Where to write a report in JUnit's format. */
  readonly junit?: string;
  readonly isJson: boolean;
}

export const TEST_USAGE = `Usage: ${commandLine('test')} [FILE|FOLDER...] [options]

Runs the tests of workflow files, *.test.yaml beside them, without network and without a running Herald: each triggers its
workflow as a dry run, and compares the steps and texts with what it expects.

  --dir FOLDER    directory of the workflow files (default: herald)
  --only TEXT     run only tests whose names contain this text
  --junit FILE    also write a report in JUnit's format
  --json          print the result as JSON

Exit codes: 0 all tests passed, 1 a test failed, 3 a file has an error.`;

const OPTIONS = {
  dir: { type: 'string', default: 'herald' },
  only: { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** @throws {TestUsageError} */
export function parseTestCommand(args: readonly string[]): TestCommand {
  const { values, positionals } = parsed(args);
  return {
    folder: values.dir,
    paths: positionals,
    ...(values.only !== undefined && { only: values.only }),
    ...(values.junit !== undefined && { junit: values.junit }),
    isJson: values.json,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new TestUsageError(`${(error as Error).message}\n\n${TEST_USAGE}`);
  }
}

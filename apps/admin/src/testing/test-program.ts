import { writeFileSync } from 'node:fs';
import { DefinitionFolder } from '../files/folder.js';
import { printable, printableLines, toJson } from '../printable.js';
import { parseTestCommand, TEST_USAGE, type TestCommand, TestUsageError } from './command.js';
import { type FileResult, junitReport, reportLines, summaryOf } from './results.js';
import { FaultyFiles, runTests } from './run-tests.js';
import type { Stage } from './stage-client.js';
import { findTestFiles, readTestFile, type TestFile } from './test-file.js';

const EXIT = { passed: 0, failed: 1, refused: 3 } as const;

export interface TestStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly openStage: () => Promise<Stage>;
}

/** `herald test`, from the command line to the exit code. */
export async function testProgram(args: readonly string[], streams: TestStreams): Promise<number> {
  const complain = (text: string): void => streams.err(`${printableLines(text)}\n`);
  if (args.includes('--help') || args.includes('-h')) {
    streams.out(`${TEST_USAGE}\n`);
    return EXIT.passed;
  }
  try {
    return await run(parseTestCommand(args), streams);
  } catch (error) {
    if (error instanceof FaultyFiles) for (const fault of error.faults) complain(fault);
    else if (error instanceof TestUsageError) complain(error.message);
    else throw error;
    return EXIT.refused;
  }
}

async function run(command: TestCommand, { out, openStage }: TestStreams): Promise<number> {
  const began = performance.now();
  const files = readFiles(command);
  const stage = await openStage();
  try {
    const results = await runTests(command.folder, files, stage);
    const ms = performance.now() - began;
    if (command.junit !== undefined) writeFileSync(command.junit, junitReport(results, ms));
    if (command.isJson) out(`${toJson(asData(results, ms))}\n`);
    else for (const line of reportLines(results, ms)) out(`${printable(line)}\n`);
    return summaryOf(results).failed === 0 ? EXIT.passed : EXIT.failed;
  } finally {
    await stage.close();
  }
}

/** @throws {FaultyFiles} */
function readFiles({ folder, paths, only = '' }: TestCommand): TestFile[] {
  if (!new DefinitionFolder(folder, 'yaml').exists()) {
    throw new FaultyFiles([`The directory ${folder} does not exist. Name the directory of the workflows with --dir.`]);
  }
  const read = findTestFiles(folder, paths).map(readTestFile);
  const faults = read.flatMap((one) => one.faults);
  if (faults.length > 0) throw new FaultyFiles(faults);
  const files = read
    .flatMap(({ file }) => file ?? [])
    .map((file) => ({ ...file, tests: file.tests.filter(({ name }) => name.includes(only)) }))
    .filter(({ tests }) => tests.length > 0);
  if (files.length > 0) return files;
  const what = only === '' ? 'There are no tests' : `No name of a test contains '${only}'`;
  throw new FaultyFiles([`${what}. Tests are files such as ${folder}/workflows/order-shipped.test.yaml.`]);
}

function asData(files: readonly FileResult[], ms: number): object {
  return { ...summaryOf(files), ms: Math.round(ms), files };
}

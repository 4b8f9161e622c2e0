import { DefinitionFolder } from '../files/folder.js';
import { HeraldClient } from '../files/herald-client.js';
import { KINDS } from '../files/kinds.js';
import { planOf } from '../files/plan.js';
import { compare } from './compare.js';
import type { FileResult, TestFault, TestResult } from './results.js';
import { RefusedTest, type Stage, StageClient } from './stage-client.js';
import type { TestFile, WorkflowTest } from './test-file.js';

/** The workflow files have faults, each with its place. */
export class FaultyFiles extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/** Pushes the workflow files to the stage and runs the tests there. @throws {FaultyFiles} */
export async function runTests(folder: string, files: readonly TestFile[], stage: Stage): Promise<FileResult[]> {
  const client = new StageClient(stage);
  await client.open(tenantsIn(folder));
  await push(folder, stage);
  await client.readWorkflows();
  const results: FileResult[] = [];
  for (const { path, tests } of files) {
    const own: TestResult[] = [];
    for (const test of tests) own.push(await runTest(test, client));
    results.push({ path, tests: own });
  }
  return results;
}

async function runTest(test: WorkflowTest, client: StageClient): Promise<TestResult> {
  const began = performance.now();
  const faults = await faultsOf(test, client);
  return { name: test.name, line: test.line, faults, ms: performance.now() - began };
}

async function faultsOf(test: WorkflowTest, client: StageClient): Promise<TestFault[]> {
  if (!client.hasWorkflow(test.workflow)) {
    return [{ line: test.line, lines: [`no file describes a workflow with the identifier ${test.workflow}`] }];
  }
  try {
    const { answer, time } = await client.dryRun(test);
    return compare(test, answer, time).map(({ path, lines }) => ({ line: test.lineOf(path), lines }));
  } catch (error) {
    if (!(error instanceof RefusedTest)) throw error;
    return error.faults.map((fault) => ({ line: test.line, lines: [fault] }));
  }
}

/** As `herald push` does, so that unknown fields and missing references are faults here, too. */
async function push(folder: string, { url, apiKey, hasPlugins }: Stage): Promise<void> {
  const { files, faults } = new DefinitionFolder(folder, 'yaml').read(KINDS);
  if (faults.length > 0) throw new FaultyFiles(faults);
  const client = new HeraldClient({ url, key: apiKey, hasOwnSchemas: !hasPlugins }, 0);
  const wanted = files.map((file) => ({ ...file, file }));
  const plan = await planOf(client, wanted, { prunedKinds: [], allowsUnknown: false });
  if (plan.faults.length > 0) throw new FaultyFiles(plan.faults);
  for (const { kind, definition } of plan.changes) await client.define(kind, definition, false);
}

/** Workflow overrides need their tenants, which are no files. */
function tenantsIn(folder: string): string[] {
  const overrides = KINDS.filter(({ name }) => name === 'workflow-override');
  const { files } = new DefinitionFolder(folder, 'yaml').read(overrides);
  return [...new Set(files.map(({ definition }) => String(definition['tenant'])))];
}

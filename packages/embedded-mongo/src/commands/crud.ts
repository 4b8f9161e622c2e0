import { Int32 } from 'bson';
import { decode, type Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import { compileProjection } from '../query/projection.js';
import type { SearchStats } from '../search/search.js';
import { runBatch, runInSteps, runStatement } from './batches.js';
import { type Context, namespaceOf, type Request } from './context.js';
import { logScan, variablesOf } from './find.js';
import { assertOptions, booleanOf } from './options.js';
import {
  assertStatement,
  checkedDocument,
  parseDeleteStatement,
  parseModify,
  parseUpdateStatement,
  runWrite,
  type WriteOutcome,
  type WriteStatement,
} from './write.js';

const MAX_BATCH = 100_000;

const isOrdered = (command: Doc): boolean => command.ordered === undefined || booleanOf(command.ordered);

function assertBatchSize(size: number): void {
  if (size > 0 && size <= MAX_BATCH) return;
  throw new StoreError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${size} operations.`,
  );
}

const withErrors = (reply: Doc, writeErrors: Doc[]): Doc =>
  writeErrors.length > 0 ? { ...reply, writeErrors } : reply;

export async function insert(context: Context, request: Request): Promise<Doc> {
  const { command, documents } = request;
  assertOptions('insert', command, ['documents', 'ordered', 'bypassDocumentValidation']);
  const ns = namespaceOf(request, command.insert);
  assertBatchSize(documents.length);
  let n = 0;
  const run = (index: number): (() => void) => {
    context.store.ensure(ns).insert(checkedDocument(documents[index] as Buffer));
    return () => n++;
  };
  const together = <T>(items: () => T): T => context.store.ensure(ns).insertTogether(items);
  const errors = await runBatch(context, { run, together, total: documents.length, ordered: isOrdered(command) });
  return withErrors({ n: new Int32(n) }, errors);
}

/** Runs the statements of an `update` or `delete` command; `report` hears of each one that is stored. */
async function runStatements(
  context: Context,
  request: Request,
  field: 'updates' | 'deletes',
  ns: string,
  report: (index: number, outcome: WriteOutcome) => void,
): Promise<Doc[]> {
  const { command } = request;
  const statements = command[field];
  if (!Array.isArray(statements)) throw new StoreError('TypeMismatch', `'${field}' must be an array`);
  assertBatchSize(statements.length);
  for (const statement of statements as unknown[]) assertStatement(statement, field);
  const variables = variablesOf(command.let);
  const parse = field === 'updates' ? parseUpdateStatement : parseDeleteStatement;
  const parsed = (index: number): WriteStatement => parse(statements[index] as Doc, variables);
  return runBatch(context, {
    total: statements.length,
    ordered: isOrdered(command),
    run: (index) => {
      const statement = parsed(index);
      const stats: SearchStats = { examined: 0, scanned: false };
      const outcome = runWrite(context.store, ns, statement, stats);
      return () => {
        logScan(context, ns, statement.filterSource, stats);
        report(index, outcome);
      };
    },
    runLong: async (index) => report(index, await runInSteps(context, ns, parsed(index), request)),
  });
}

export async function update(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('update', command, ['updates', 'ordered', 'bypassDocumentValidation', 'let']);
  const ns = namespaceOf(request, command.update);
  let [n, nModified] = [0, 0];
  const upserted: Doc[] = [];
  const errors = await runStatements(context, request, 'updates', ns, (index, outcome) => {
    n += outcome.matched;
    nModified += outcome.modified;
    if (outcome.upsertedId === undefined) return;
    n++;
    upserted.push({ index: new Int32(index), _id: outcome.upsertedId });
  });
  const reply = { n: new Int32(n), nModified: new Int32(nModified) };
  return withErrors(upserted.length > 0 ? { ...reply, upserted } : reply, errors);
}

export async function remove(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('delete', command, ['deletes', 'ordered', 'let']);
  const ns = namespaceOf(request, command.delete);
  let n = 0;
  const errors = await runStatements(context, request, 'deletes', ns, (_, outcome) => (n += outcome.matched));
  return withErrors({ n: new Int32(n) }, errors);
}

const MODIFY_OPTIONS = [
  'query',
  'sort',
  'remove',
  'update',
  'new',
  'fields',
  'upsert',
  'bypassDocumentValidation',
  'arrayFilters',
  'let',
  'hint',
  'collation',
];

export async function findAndModify(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions(request.name, command, MODIFY_OPTIONS);
  const ns = namespaceOf(request, command[request.name]);
  const variables = variablesOf(command.let);
  const statement = parseModify(command, variables);
  const projection = compileProjection(command.fields, variables, true, statement.filter);
  const outcome = await runStatement(context, ns, statement, request);
  const raw = booleanOf(command.new) ? outcome.after : outcome.before;
  const value = raw ? (projection ? projection(decode(raw)) : decode(raw)) : null;
  return { lastErrorObject: lastError(statement, outcome), value };
}

function lastError({ update: change }: WriteStatement, { matched, upsertedId }: WriteOutcome): Doc {
  if (!change) return { n: new Int32(matched) };
  const upserted = upsertedId === undefined ? {} : { upserted: upsertedId };
  return { n: new Int32(upsertedId === undefined ? matched : 1), updatedExisting: matched > 0, ...upserted };
}

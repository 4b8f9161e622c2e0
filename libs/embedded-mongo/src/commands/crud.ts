import { Int32 } from 'bson';
import { decode, type Doc } from '../bson/codec.js';
import { failedToParse, StoreError } from '../errors.js';
import { parseFilter } from '../query/parse.js';
import { compileProjection } from '../query/projection.js';
import type { SearchStats } from '../store/search.js';
import { parseUpdate } from '../update/update.js';
import { type Context, namespaceOf, type Request } from './context.js';
import { logScan, variablesOf } from './find.js';
import { assertOptions, booleanOf } from './options.js';
import {
  checkedDocument,
  parseDeleteStatement,
  parseUpdateStatement,
  refuseCollation,
  runDelete,
  runUpdate,
  writeError,
  type UpdateOutcome,
} from './write.js';

const MAX_BATCH = 100_000;
/** Documents or statements per transaction, and the time after which a transaction is ended early. */
const CHUNK = 1000;
const CHUNK_MS = 40;

interface Step {
  /** Does one item inside the transaction; throws a StoreError before it wrote anything. */
  run: (index: number) => (() => void) | void;
  total: number;
  ordered: boolean;
}

/**
 * Runs many writes in as few transactions as fit, in order. What a write reports is kept only when its transaction was stored.
 * An `ordered` run ends at the first error.
 */
async function runAll(context: Context, { run, total, ordered }: Step): Promise<Doc[]> {
  const errors: Doc[] = [];
  let next = 0;
  while (next < total && !(ordered && errors.length > 0)) {
    const from = next;
    const outcome = await context.engine
      .write(() => runChunk(from, Math.min(total, from + CHUNK), ordered, run))
      .catch((error: unknown) => {
        if (error instanceof StoreError && total === 1)
          return { at: from + 1, failed: [writeError(from, error)], done: [] };
        throw error;
      });
    next = outcome.at;
    errors.push(...outcome.failed);
    outcome.done.forEach((report) => report());
  }
  return errors;
}

function runChunk(
  from: number,
  to: number,
  ordered: boolean,
  run: Step['run'],
): { at: number; failed: Doc[]; done: (() => void)[] } {
  const failed: Doc[] = [];
  const done: (() => void)[] = [];
  const started = performance.now();
  let at = from;
  while (at < to && performance.now() - started < CHUNK_MS) {
    try {
      const report = run(at);
      if (report) done.push(report);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failed.push(writeError(at, error));
      if (ordered) break;
    }
    at++;
  }
  return { at: ordered && failed.length > 0 ? to : at, failed, done };
}

const isOrdered = (command: Doc): boolean => command.ordered === undefined || booleanOf(command.ordered);

function statementsOf(command: Doc, name: string): unknown[] {
  const statements = command[name];
  if (!Array.isArray(statements)) throw new StoreError('TypeMismatch', `'${name}' must be an array`);
  if (statements.length === 0 || statements.length > MAX_BATCH) {
    throw new StoreError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${statements.length} operations.`,
    );
  }
  return statements as unknown[];
}

export async function insert(context: Context, request: Request): Promise<Doc> {
  const { command, documents } = request;
  assertOptions('insert', command, ['documents', 'ordered', 'bypassDocumentValidation']);
  const ns = namespaceOf(request, command.insert);
  if (documents.length === 0 || documents.length > MAX_BATCH) {
    throw new StoreError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${documents.length} operations.`,
    );
  }
  let n = 0;
  const run = (index: number): (() => void) => {
    context.engine.ensure(ns).insert(checkedDocument(documents[index] as Buffer));
    return () => n++;
  };
  const writeErrors = await runAll(context, { run, total: documents.length, ordered: isOrdered(command) });
  return { n: new Int32(n), ...(writeErrors.length > 0 ? { writeErrors } : {}) };
}

export async function update(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('update', command, ['updates', 'ordered', 'bypassDocumentValidation', 'let']);
  const ns = namespaceOf(request, command.update);
  const variables = variablesOf(command.let);
  const statements = statementsOf(command, 'updates');
  let [n, nModified] = [0, 0];
  const upserted: Doc[] = [];
  const run = (index: number): (() => void) => {
    const statement = parseUpdateStatement(statements[index], variables);
    const stats: SearchStats = { examined: 0, scanned: false };
    const outcome = runUpdate(context.engine, ns, statement, stats);
    return () => {
      logScan(context, ns, statement.filterSource, stats);
      n += outcome.matched;
      nModified += outcome.modified;
      if (outcome.upsertedId === undefined) return;
      n++;
      upserted.push({ index: new Int32(index), _id: outcome.upsertedId });
    };
  };
  const writeErrors = await runAll(context, { run, total: statements.length, ordered: isOrdered(command) });
  return {
    n: new Int32(n),
    nModified: new Int32(nModified),
    ...(upserted.length > 0 ? { upserted } : {}),
    ...(writeErrors.length > 0 ? { writeErrors } : {}),
  };
}

export async function remove(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('delete', command, ['deletes', 'ordered', 'let']);
  const ns = namespaceOf(request, command.delete);
  const variables = variablesOf(command.let);
  const statements = statementsOf(command, 'deletes');
  let n = 0;
  const run = (index: number): (() => void) => {
    const statement = parseDeleteStatement(statements[index], variables);
    const stats: SearchStats = { examined: 0, scanned: false };
    const { deleted } = runDelete(context.engine, ns, statement, stats);
    return () => {
      logScan(context, ns, statement.filterSource, stats);
      n += deleted;
    };
  };
  const writeErrors = await runAll(context, { run, total: statements.length, ordered: isOrdered(command) });
  return { n: new Int32(n), ...(writeErrors.length > 0 ? { writeErrors } : {}) };
}

const FIND_AND_MODIFY_OPTIONS = [
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
];

export async function findAndModify(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions(request.name, command, FIND_AND_MODIFY_OPTIONS);
  refuseCollation(command);
  const ns = namespaceOf(request, command[request.name]);
  const variables = variablesOf(command.let);
  const filter = parseFilter(command.query, variables);
  const projection = compileProjection(command.fields, variables, true);
  const shown = (raw: Buffer | undefined): unknown =>
    raw ? (projection ? projection(decode(raw)) : decode(raw)) : null;
  const stats: SearchStats = { examined: 0, scanned: false };
  const common = { filter, filterSource: command.query, hint: command.hint, sort: command.sort };
  if (booleanOf(command.remove)) {
    if (command.update !== undefined || booleanOf(command.new) || booleanOf(command.upsert)) {
      throw failedToParse("Cannot specify 'remove' together with 'update', 'new' or 'upsert'");
    }
    const { deleted, before } = await context.engine.write(() =>
      runDelete(context.engine, ns, { ...common, limit: 1 }, stats),
    );
    logScan(context, ns, command.query, stats);
    return { lastErrorObject: { n: new Int32(deleted) }, value: shown(before) };
  }
  if (command.update === undefined) throw failedToParse("Either an 'update' or 'remove=true' must be specified");
  const change = parseUpdate(command.update, filter, command.arrayFilters, variables);
  const statement = { ...common, update: change, multi: false, upsert: booleanOf(command.upsert) };
  const outcome = await context.engine.write(() => runUpdate(context.engine, ns, statement, stats));
  logScan(context, ns, command.query, stats);
  return modifyReply(outcome, shown(booleanOf(command.new) ? outcome.after : outcome.before));
}

function modifyReply(outcome: UpdateOutcome, value: unknown): Doc {
  const inserted = outcome.upsertedId !== undefined;
  const lastErrorObject = {
    n: new Int32(outcome.matched + (inserted ? 1 : 0)),
    updatedExisting: outcome.matched > 0,
    ...(inserted ? { upserted: outcome.upsertedId } : {}),
  };
  return { lastErrorObject, value };
}

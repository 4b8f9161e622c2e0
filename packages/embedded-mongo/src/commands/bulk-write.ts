import { Double, Int32, Long } from 'bson';
import { encode, isDoc, toInteger, type Doc } from '../bson/codec.js';
import { badValue, StoreError } from '../errors.js';
import type { SearchStats } from '../search/search.js';
import { runBatch, runInSteps } from './batches.js';
import { type Context, namespaceOf, type Request } from './context.js';
import { logScan, variablesOf } from './find.js';
import { assertOptions, booleanOf } from './options.js';
import {
  assertStatement,
  checkedDocument,
  parseDeleteStatement,
  parseUpdateStatement,
  runWrite,
  type WriteOutcome,
  type WriteStatement,
} from './write.js';

const MAX_OPERATIONS = 100_000;
const KINDS = ['insert', 'update', 'delete'] as const;

interface Operation {
  kind: (typeof KINDS)[number];
  ns: string;
  /** Of an insert. */
  document?: Doc;
  /** Of the other two. */
  statement?: Doc;
}

/** What became of the operations, as the driver adds it up. */
class Results {
  readonly shown: Doc[] = [];
  nInserted = 0;
  nMatched = 0;
  nModified = 0;
  nUpserted = 0;
  nDeleted = 0;

  report(index: number, { kind }: Operation, outcome: WriteOutcome): void {
    const idx = new Int32(index);
    const { matched, modified, upsertedId } = outcome;
    const n = new Int32(upsertedId === undefined ? matched : 1);
    if (kind === 'insert') this.nInserted++;
    else if (kind === 'delete') this.nDeleted += matched;
    else {
      this.nMatched += matched;
      this.nModified += modified;
      if (upsertedId !== undefined) this.nUpserted++;
    }
    const changed = kind === 'update' ? { nModified: new Int32(modified) } : {};
    const upserted = upsertedId === undefined ? {} : { upserted: { _id: upsertedId } };
    this.shown.push({ ok: new Double(1), idx, n, ...changed, ...upserted });
  }
}

/** Writes of several kinds to several collections, in the form of MongoDB 8. */
export async function bulkWrite(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('bulkWrite', command, [
    'ops',
    'nsInfo',
    'ordered',
    'errorsOnly',
    'bypassDocumentValidation',
    'let',
    'cursor',
  ]);
  if (request.db !== 'admin')
    throw new StoreError('Unauthorized', 'bulkWrite may only be run against the admin database.');
  const variables = variablesOf(command.let);
  const operations = operationsOf(request);
  const results = new Results();
  const parsed = ({ kind, statement = {} }: Operation): WriteStatement =>
    (kind === 'update' ? parseUpdateStatement : parseDeleteStatement)(statement, variables);
  const errors = await runBatch(context, {
    total: operations.length,
    ordered: command.ordered === undefined || booleanOf(command.ordered),
    run: (index) => {
      const operation = operations[index] as Operation;
      const { ns, document } = operation;
      if (document) {
        context.store.ensure(ns).insert(checkedDocument(encode(document)));
        return () => results.report(index, operation, { matched: 1, modified: 0 });
      }
      const statement = parsed(operation);
      const stats: SearchStats = { examined: 0, scanned: false };
      const outcome = runWrite(context.store, ns, statement, stats);
      return () => {
        logScan(context, ns, statement.filterSource, stats);
        results.report(index, operation, outcome);
      };
    },
    runLong: async (index) => {
      const operation = operations[index] as Operation;
      results.report(index, operation, await runInSteps(context, operation.ns, parsed(operation), request));
    },
  });
  return replyOf(results, errors, booleanOf(command.errorsOnly));
}

function replyOf({ shown, ...counts }: Results, errors: Doc[], errorsOnly: boolean): Doc {
  const failed = errors.map(({ index, errmsg, ...error }) => ({
    ok: new Double(0),
    idx: index,
    errmsg,
    n: 0,
    ...error,
  }));
  const firstBatch: Doc[] = [...(errorsOnly ? [] : shown), ...failed].sort((a, b) => Number(a.idx) - Number(b.idx));
  const totals = Object.entries(counts).map(([name, count]) => [name, new Int32(count)]);
  return {
    cursor: { id: Long.ZERO, firstBatch, ns: 'admin.$cmd.bulkWrite' },
    nErrors: new Int32(errors.length),
    ...(Object.fromEntries(totals) as Doc),
  };
}

function operationsOf(request: Request): Operation[] {
  const { ops, nsInfo } = request.command;
  if (!Array.isArray(ops) || ops.length === 0 || ops.length > MAX_OPERATIONS)
    throw new StoreError('InvalidLength', `Write batch sizes must be between 1 and ${MAX_OPERATIONS}.`);
  if (!Array.isArray(nsInfo) || nsInfo.length === 0) throw badValue("bulkWrite needs 'nsInfo', an array of {ns}");
  const namespaces = nsInfo.map((info: unknown) => {
    const ns = isDoc(info) ? info.ns : undefined;
    const dot = typeof ns === 'string' ? ns.indexOf('.') : -1;
    if (typeof ns !== 'string' || dot < 1) throw new StoreError('InvalidNamespace', 'Invalid namespace in nsInfo');
    return namespaceOf({ ...request, db: ns.slice(0, dot) }, ns.slice(dot + 1));
  });
  return ops.map((op: unknown) => operationOf(op, namespaces));
}

function operationOf(op: unknown, namespaces: readonly string[]): Operation {
  if (!isDoc(op)) throw new StoreError('TypeMismatch', "every item of 'ops' must be a document");
  const kind = KINDS.find((name) => Object.keys(op)[0] === name);
  if (!kind) throw new StoreError('FailedToParse', `an operation must begin with ${KINDS.join(', ')}`);
  const { [kind]: place, ...rest } = op;
  const ns = namespaces[toInteger(place, kind)];
  if (ns === undefined) throw badValue(`BulkWrite ops entry has an invalid nsInfo index`);
  if (kind === 'insert') {
    if (!isDoc(op.document)) throw new StoreError('TypeMismatch', "'document' of an insert must be a document");
    return { kind, ns, document: op.document };
  }
  const { filter: q, updateMods: u, constants: c, multi, ...others } = rest;
  const isMulti = booleanOf(multi);
  const statement =
    kind === 'update'
      ? { q, u, multi: isMulti, ...(c === undefined ? {} : { c }), ...others }
      : { q, limit: isMulti ? 0 : 1, ...others };
  assertStatement(statement, kind === 'update' ? 'updates' : 'deletes');
  return { kind, ns, statement };
}

import type { Doc } from '../bson/codec.js';
import { isTransient, StoreError } from '../errors.js';
import type { SearchStats } from '../search/search.js';
import type { Context, Request } from './context.js';
import { found, logScan } from './find.js';
import {
  changeFound,
  MAX_TRANSACTION_MS,
  runWrite,
  searchOf,
  TakesLong,
  upsert,
  writeError,
  type WriteOutcome,
  type WriteStatement,
} from './write.js';

/** Documents or statements per transaction. */
const CHUNK = 1000;
/** How often the one document to be changed may be changed by others between finding and changing it. */
const ATTEMPTS = 10;

/** Many writes of one command. */
export interface Batch {
  total: number;
  /** Ends at the first error. */
  ordered: boolean;
  /** Does one item inside a transaction; what it gives back is called when that transaction is stored. */
  run: (index: number) => () => void;
  /** Does the items of one transaction. */
  together?: <T>(items: () => T) => T;
  /** Does an item that takes too long for one transaction. */
  runLong?: (index: number) => Promise<void>;
}

interface ChunkResult {
  next: number;
  failed: Doc[];
  done: (() => void)[];
  long: boolean;
}

/** Runs the items in order and in as few transactions as fit; gives the write errors. */
export async function runBatch(context: Context, batch: Batch): Promise<Doc[]> {
  const errors: Doc[] = [];
  let next = 0;
  while (next < batch.total && !(batch.ordered && errors.length > 0)) {
    const from = next;
    const chunk = (): ChunkResult => runChunk(batch, from);
    const result = await context.store
      .write(() => (batch.together ? batch.together(chunk) : chunk()))
      .catch((error: unknown) => failedChunk(batch, from, error));
    errors.push(...result.failed);
    result.done.forEach((report) => report());
    next = result.next;
    if (result.long) errors.push(...(await runLong(batch, next++)));
  }
  return errors;
}

function runChunk(batch: Batch, from: number): ChunkResult {
  const result: ChunkResult = { next: from, failed: [], done: [], long: false };
  const started = performance.now();
  const end = Math.min(batch.total, from + CHUNK);
  while (result.next < end && (result.next === from || performance.now() - started < MAX_TRANSACTION_MS)) {
    try {
      result.done.push(batch.run(result.next));
    } catch (error) {
      if (error instanceof TakesLong) return { ...result, long: true };
      if (!(error instanceof StoreError) || isTransient(error)) throw error;
      result.failed.push(writeError(result.next, error));
      if (batch.ordered) break;
    }
    result.next++;
  }
  return result;
}

/** A transaction that could not be stored: with a single item that is its error, with several the command's. */
function failedChunk(batch: Batch, from: number, error: unknown): ChunkResult {
  if (!(error instanceof StoreError) || isTransient(error) || batch.total > 1) throw error;
  return { next: from + 1, failed: [writeError(from, error)], done: [], long: false };
}

async function runLong(batch: Batch, index: number): Promise<Doc[]> {
  try {
    await batch.runLong?.(index);
    return [];
  } catch (error) {
    if (error instanceof StoreError && !isTransient(error)) return [writeError(index, error)];
    throw error;
  }
}

/** Runs a statement, in steps outside of transactions when it has to look at many documents. */
export async function runStatement(
  context: Context,
  ns: string,
  statement: WriteStatement,
  request: Request,
): Promise<WriteOutcome> {
  const stats: SearchStats = { examined: 0, scanned: false };
  try {
    // the wrapper keeps this from undoing the transactions of others that share the batch
    const outcome = await context.store.write(() => {
      try {
        return runWrite(context.store, ns, statement, stats);
      } catch (error) {
        if (error instanceof TakesLong) return undefined;
        throw error;
      }
    });
    return outcome ?? (await runInSteps(context, ns, statement, request));
  } finally {
    logScan(context, ns, statement.filterSource, stats);
  }
}

/** Finds the documents while others are served, then changes them some at a time, each after a second look. */
export async function runInSteps(
  context: Context,
  ns: string,
  statement: WriteStatement,
  request: Request,
): Promise<WriteOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ids: Buffer[] = [];
    const wanted = searchOf(context.store.find(ns), statement);
    for await (const batch of found(context, ns, wanted, request, statement.filterSource))
      ids.push(...batch.map(({ id }) => id));
    const total =
      ids.length === 0 && statement.upsert
        ? await context.store.write(() => upsert(context.store.ensure(ns), statement))
        : await changeInSteps(context, ns, statement, ids);
    if (statement.multi || ids.length === 0 || total.matched > 0) return total;
  }
  throw new StoreError('WriteConflict', 'the document kept being changed by others; try again', {}, 112);
}

/**
 * Changes documents that were found before, a time slice per transaction. An error of one document ends the command; what was
 * stored before stays, as in MongoDB.
 */
export async function changeInSteps(
  context: Context,
  ns: string,
  statement: WriteStatement,
  ids: readonly Buffer[],
): Promise<WriteOutcome> {
  const total: WriteOutcome = { matched: 0, modified: 0 };
  for (let at = 0; at < ids.length;) {
    const some = ids.slice(at, at + CHUNK);
    const step = await context.store.write(() => {
      const outcome: WriteOutcome = { matched: 0, modified: 0 };
      return { seen: changeFound(context.store, ns, statement, some, outcome), outcome };
    });
    const { matched, modified } = total;
    const { outcome } = step;
    Object.assign(total, outcome, { matched: matched + outcome.matched, modified: modified + outcome.modified });
    at += step.seen;
  }
  return total;
}

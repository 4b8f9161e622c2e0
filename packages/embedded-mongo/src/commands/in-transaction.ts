import { Binary, Long, Timestamp } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import type { Context, Handler, Reply, Request } from './context.js';
import { assertOptions, booleanOf } from './options.js';
import type { TransactionId } from './transactions.js';

const ALLOWED = new Set([
  'find',
  'getMore',
  'killCursors',
  'aggregate',
  'distinct',
  'insert',
  'update',
  'delete',
  'findAndModify',
  'findandmodify',
  'create',
  'bulkWrite',
]);

export const isInTransaction = ({ command }: Request): boolean => 'autocommit' in command;

/** Runs a command in the transaction that it names. An error ends the transaction. */
export function runInTransaction(context: Context, request: Request, handler: Handler): Promise<Reply> | Reply {
  const { name } = request;
  const id = transactionOf(request);
  const starts = booleanOf(request.command.startTransaction);
  if (name === 'commitTransaction' || name === 'abortTransaction') return finish(context, request, id);
  if (!ALLOWED.has(name))
    throw new StoreError(
      'OperationNotSupportedInTransaction',
      `Cannot run '${name}' in a multi-document transaction. Run it before or after the transaction.`,
    );
  const { connectionId } = request;
  const { transactions } = context;
  const store = starts ? transactions.start(id, connectionId) : transactions.continue(id, connectionId);
  const giveUp = (): void => transactions.giveUp(id);
  try {
    const reply = handler({ ...context, store }, { ...request, command: withoutTransaction(request.command, starts) });
    if (!(reply instanceof Promise)) return checked(reply, giveUp);
    return reply.then(
      (later) => checked(later, giveUp),
      (error: unknown) => {
        giveUp();
        throw error;
      },
    );
  } catch (error) {
    giveUp();
    throw error;
  }
}

/** Writes that failed end the transaction as well. */
function checked(reply: Reply, giveUp: () => void): Reply {
  if (Buffer.isBuffer(reply)) return reply;
  if ('writeErrors' in reply) giveUp();
  return { ...reply, ...clusterTime() };
}

async function finish({ transactions }: Context, request: Request, id: TransactionId): Promise<Doc> {
  const { name, db, command } = request;
  if (db !== 'admin') throw new StoreError('Unauthorized', `${name} may only be run against the admin database.`);
  assertOptions(name, withoutTransaction(command, true), ['recoveryToken']);
  if (name === 'abortTransaction') transactions.abort(id);
  else await transactions.commit(id);
  return clusterTime();
}

/** A causally consistent session names it in its reads, all of which see every write before them here. */
const clusterTime = (): Doc => ({ operationTime: new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 }) });

/** For a command that is not part of a transaction. */
export function transactionOnly(_context: Context, { name }: Request): Doc {
  throw new StoreError('CommandFailed', `${name} must be run within a transaction`, {}, 125);
}

function transactionOf({ command }: Request): TransactionId {
  const { lsid, txnNumber, autocommit } = command;
  if (autocommit !== false) throw new StoreError('InvalidOptions', "the field 'autocommit' must be false");
  if (!(txnNumber instanceof Long))
    throw new StoreError('InvalidOptions', "a command with 'autocommit' needs a 'txnNumber', which is a long");
  return { session: sessionOf(lsid), number: txnNumber.toBigInt() };
}

function sessionOf(lsid: unknown): Buffer {
  const id = isDoc(lsid) ? lsid.id : undefined;
  if (!(id instanceof Binary) || id.length() !== 16)
    throw new StoreError('InvalidOptions', "a transaction needs a session: 'lsid' must be {id: UUID}");
  return Buffer.from(id.value());
}

/** What is left of a command for its handler; every read in a transaction is one of the state that it began with. */
function withoutTransaction(command: Doc, starts: boolean): Doc {
  const { lsid: _, txnNumber: _number, autocommit: _commit, startTransaction: _start, readConcern, ...rest } = command;
  if (readConcern === undefined) return rest;
  if (!starts)
    throw new StoreError('InvalidOptions', "only the first command of a transaction may have a 'readConcern'");
  const level = isDoc(readConcern) ? readConcern.level : undefined;
  return level === 'snapshot' ? rest : { ...rest, readConcern };
}

export function endSessions(context: Context, { name, command }: Request): Doc {
  const sessions = command[name];
  if (!Array.isArray(sessions)) throw new StoreError('TypeMismatch', `'${name}' must be an array`);
  for (const lsid of sessions as unknown[]) context.transactions.end(sessionOf(lsid));
  return {};
}

export function killAllSessions({ transactions }: Context): Doc {
  transactions.end();
  return {};
}

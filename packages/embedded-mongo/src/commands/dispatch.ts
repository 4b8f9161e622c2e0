import { Double, Int32 } from 'bson';
import type { Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import * as admin from './admin.js';
import { aggregate } from './aggregate.js';
import { bulkWrite } from './bulk-write.js';
import {
  collStats,
  create,
  dbStats,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  renameCollection,
} from './collections.js';
import type { Context, Handler, Reply, Request } from './context.js';
import { findAndModify, insert, remove, update } from './crud.js';
import { distinct } from './distinct.js';
import { explain } from './explain.js';
import { count, find, getMore, killCursors } from './find.js';
import { createIndexes, dropIndexes, listIndexes } from './indexes.js';
import { assertApiVersion } from './options.js';
import { replyOf } from './reply.js';
import { snapshot } from './snapshot.js';
import { endSessions, isInTransaction, killAllSessions, runInTransaction, transactionOnly } from './in-transaction.js';

const nothing: Handler = () => ({});

/** Every command there is. Names are compared exactly, as MongoDB does, with its older spellings listed. */
const HANDLERS = new Map<string, Handler>(
  Object.entries({
    find,
    getMore,
    killCursors,
    count,
    distinct,
    aggregate,
    explain,
    insert,
    update,
    delete: remove,
    findAndModify,
    findandmodify: findAndModify,
    create,
    drop,
    dropDatabase,
    renameCollection,
    bulkWrite,
    listCollections,
    listDatabases,
    collStats,
    dbStats,
    createIndexes,
    listIndexes,
    dropIndexes,
    deleteIndexes: dropIndexes,
    hello: admin.hello,
    isMaster: admin.hello,
    ismaster: admin.hello,
    ping: admin.ping,
    commitTransaction: transactionOnly,
    abortTransaction: transactionOnly,
    endSessions,
    refreshSessions: nothing,
    killSessions: endSessions,
    killAllSessions,
    logout: nothing,
    startSession: admin.startSession,
    buildInfo: admin.buildInfo,
    buildinfo: admin.buildInfo,
    hostInfo: admin.hostInfo,
    serverStatus: admin.serverStatus,
    getParameter: admin.getParameter,
    getLog: admin.getLog,
    getCmdLineOpts: admin.getCmdLineOpts,
    connectionStatus: admin.connectionStatus,
    whatsmyuri: admin.whatsmyuri,
    shutdown: admin.shutdown,
    snapshot,
  } satisfies Record<string, Handler>),
);

const ABOUT_USERS = /user|role|authenticate|sasl/i;

const instead = (name: string): string =>
  ABOUT_USERS.test(name)
    ? '. The embedded store has no users; file permissions of its socket decide who may use it'
    : '';

const OK = new Double(1);

/** Runs a command and gives its reply, at once where nothing has to be waited for; an error becomes the reply that drivers expect. */
export function dispatch(context: Context, request: Request): Buffer | Promise<Buffer> {
  try {
    const handler = HANDLERS.get(request.name);
    if (!handler) throw new StoreError('CommandNotFound', `no such command: '${request.name}'${instead(request.name)}`);
    assertApiVersion(request.command);
    const reply = isInTransaction(request) ? runInTransaction(context, request, handler) : handler(context, request);
    if (reply instanceof Promise) return reply.then(finished, (error: unknown) => failed(context, request, error));
    return finished(reply);
  } catch (error) {
    return failed(context, request, error);
  }
}

const finished = (reply: Reply): Buffer => (Buffer.isBuffer(reply) ? reply : replyOf({ ...reply, ok: OK }));

const failed = (context: Context, request: Request, error: unknown): Buffer =>
  replyOf(errorReply(context, request, error));

function errorReply(context: Context, request: Pick<Request, 'name' | 'db'>, thrown: unknown): Doc {
  const place = `what the command '${request.name}' reads in ${request.db}`;
  const error = thrown instanceof StoreError ? thrown : (context.engine.damage.of(thrown, place) ?? thrown);
  if (error instanceof StoreError) {
    return {
      ok: new Double(0),
      errmsg: error.message,
      code: new Int32(error.code),
      codeName: error.codeName,
      ...error.extra,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  context.log({
    level: 'error',
    msg: 'a command failed unexpectedly',
    command: request.name,
    error: error instanceof Error ? error.stack : message,
  });
  return { ok: new Double(0), errmsg: `internal error: ${message}`, code: new Int32(1), codeName: 'InternalError' };
}

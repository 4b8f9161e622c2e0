import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Binary, Double, Int32, Long } from 'bson';
import { MAX_DOCUMENT_BYTES, type Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import type { Context, Request } from './context.js';
import { booleanOf } from './options.js';
import { SESSION_MINUTES } from './transactions.js';

/** The MongoDB release whose behaviour is followed where it is supported at all. */
export const VERSION = '7.0.14';
const MAX_WIRE_VERSION = 21;
export const MAX_MESSAGE_BYTES = 48_000_000;
const WRITE_BATCH = 100_000;

export function hello(_context: Context, request: Request): Doc {
  const legacy = request.name !== 'hello';
  return {
    ...(legacy ? { ismaster: true } : { isWritablePrimary: true }),
    helloOk: true,
    maxBsonObjectSize: new Int32(MAX_DOCUMENT_BYTES),
    maxMessageSizeBytes: new Int32(MAX_MESSAGE_BYTES),
    maxWriteBatchSize: new Int32(WRITE_BATCH),
    localTime: new Date(),
    connectionId: new Int32(request.connectionId),
    minWireVersion: new Int32(0),
    maxWireVersion: new Int32(MAX_WIRE_VERSION),
    readOnly: false,
    logicalSessionTimeoutMinutes: new Int32(SESSION_MINUTES),
  };
}

/** Tells of damage as well: who asks whether the store is well asks this. */
export const ping = ({ engine: { damage } }: Context): Doc =>
  damage.count === 0 ? {} : { damage: { reads: new Double(damage.count), latest: damage.latest } };

export const buildInfo = (): Doc => ({
  version: VERSION,
  versionArray: VERSION.split('.').map(Number).concat(0),
  gitVersion: 'embedded',
  modules: [],
  allocator: 'system',
  javascriptEngine: 'none',
  sysInfo: 'deprecated',
  storageEngines: ['lmdb'],
  bits: 64,
  debug: false,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
});

export const hostInfo = (): Doc => ({
  system: { currentTime: new Date(), hostname: hostname(), cpuAddrSize: 64, numCores: 1, cpuArch: process.arch },
  os: { type: process.platform, name: process.platform, version: '' },
  extra: {},
});

export const serverStatus = (context: Context): Doc => {
  const uptime = Math.floor((Date.now() - context.startedAt) / 1000);
  return {
    host: hostname(),
    version: VERSION,
    process: 'mongod',
    pid: process.pid,
    uptime,
    uptimeMillis: Long.fromNumber(Date.now() - context.startedAt),
    localTime: new Date(),
    metrics: { cursor: { open: { total: Long.fromNumber(context.cursors.size) } } },
    mem: { bits: 64, resident: Math.round(process.memoryUsage.rss() / 1_048_576) },
    storageEngine: { name: 'lmdb', persistent: true, readOnly: false },
  };
};

/** The parameters that drivers and their test suites look at before they talk to a server. */
const PARAMETERS: Doc = {
  featureCompatibilityVersion: { version: VERSION.slice(0, 3) },
  authenticationMechanisms: [],
  enableTestCommands: false,
  requireApiVersion: false,
};

/** Known parameters of those asked for; none known is an error, as with MongoDB. */
export function getParameter(_context: Context, { command }: Request): Doc {
  if (command.getParameter === '*') return { ...PARAMETERS };
  const found = Object.fromEntries(Object.entries(PARAMETERS).filter(([name]) => name in command));
  if (Object.keys(found).length === 0) throw new StoreError('InvalidOptions', 'no option found to get');
  return found;
}

export const getLog = (_context: Context, { command }: Request): Doc =>
  command.getLog === '*' ? { names: ['global', 'startupWarnings'] } : { totalLinesWritten: 0, log: [] };

export const getCmdLineOpts = (): Doc => ({ argv: ['mongod'], parsed: {} });

export const connectionStatus = (): Doc => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } });

export const whatsmyuri = (context: Context): Doc => ({ you: context.address });

/** A session is its id, and its last transaction if it had one. */
export const startSession = (): Doc => ({
  id: { id: new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), Binary.SUBTYPE_UUID) },
  timeoutMinutes: new Int32(SESSION_MINUTES),
});

export function shutdown(context: Context, { db, command }: Request): Doc {
  if (db !== 'admin') throw new StoreError('Unauthorized', 'shutdown may only be run against the admin database.');
  void booleanOf(command.force);
  setImmediate(() => context.shutdown());
  return {};
}

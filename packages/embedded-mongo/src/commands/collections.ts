import { Double, Int32 } from 'bson';
import { encode, isDoc, type Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import { compile } from '../query/match.js';
import { parseFilter } from '../query/parse.js';
import type { Collection } from '../store/collection.js';
import { type Context, namespaceOf, type Request } from './context.js';
import { assertOptions, booleanOf } from './options.js';

const databaseOf = (ns: string): string => ns.slice(0, ns.indexOf('.'));

export async function create(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('create', command, ['autoIndexId', 'idIndex']);
  const ns = namespaceOf(request, command.create);
  const { store } = context;
  await store.write(() => {
    if (store.find(ns)) throw new StoreError('NamespaceExists', `Collection ${ns} already exists.`);
    store.ensure(ns);
  });
  return {};
}

export async function drop(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('drop', command, []);
  const ns = namespaceOf(request, command.drop);
  const count = await context.engine.write(() => {
    const collection = context.engine.find(ns);
    if (!collection) throw new StoreError('NamespaceNotFound', 'ns not found');
    context.engine.forget(collection);
    context.engine.note(() => ({ type: 'drop', ns }));
    return collection.indexes.length + 1;
  });
  await context.engine.sweep();
  return { nIndexesWas: new Int32(count), ns };
}

export async function renameCollection({ engine }: Context, request: Request): Promise<Doc> {
  const { command, db } = request;
  assertOptions('renameCollection', command, ['to', 'dropTarget']);
  if (db !== 'admin')
    throw new StoreError('Unauthorized', 'renameCollection may only be run against the admin database.');
  const [from, to] = [namespaceIn(request, command.renameCollection), namespaceIn(request, command.to)];
  const dropTarget = booleanOf(command.dropTarget);
  await engine.write(() => {
    const [collection, present] = [engine.find(from), engine.find(to)];
    if (!collection) throw new StoreError('NamespaceNotFound', `Source collection ${from} does not exist`);
    if (from === to) throw new StoreError('IllegalOperation', "Can't rename a collection to itself");
    if (present && !dropTarget) throw new StoreError('NamespaceExists', 'target namespace exists');
    if (present) engine.forget(present);
    engine.rename(collection, to);
  });
  await engine.sweep();
  return {};
}

/** A namespace that stands in a command, with the name checked. */
function namespaceIn(request: Request, value: unknown): string {
  const dot = typeof value === 'string' ? value.indexOf('.') : -1;
  if (typeof value !== 'string' || dot < 1)
    throw new StoreError('InvalidNamespace', `${request.name} needs namespaces of the form 'database.collection'`);
  return namespaceOf({ ...request, db: value.slice(0, dot) }, value.slice(dot + 1));
}

export async function dropDatabase(context: Context, request: Request): Promise<Doc> {
  assertOptions('dropDatabase', request.command, []);
  const dropped = await context.engine.write(() => {
    const collections = inDatabase(context, request.db);
    for (const collection of collections) {
      context.engine.forget(collection);
      context.engine.note(() => ({ type: 'drop', ns: collection.ns }));
    }
    if (collections.length > 0) context.engine.note(() => ({ type: 'dropDatabase', ns: request.db }));
    return collections.length > 0;
  });
  await context.engine.sweep();
  return dropped ? { dropped: request.db } : {};
}

const inDatabase = (context: Context, db: string): Collection[] =>
  context.engine.list().filter((collection) => databaseOf(collection.ns) === db);

export function listCollections(context: Context, request: Request): Buffer | Promise<Buffer> {
  const { command } = request;
  assertOptions('listCollections', command, ['filter', 'cursor', 'nameOnly', 'authorizedCollections']);
  const test = compile(parseFilter(command.filter ?? {}));
  const nameOnly = booleanOf(command.nameOnly);
  const infos = inDatabase(context, request.db)
    .map((collection) => {
      const idIndex = collection.primary.record.spec;
      const info: Doc = {
        name: collection.name,
        type: 'collection',
        options: collection.record.options,
        info: { readOnly: false },
        idIndex,
      };
      return info;
    })
    .filter(test)
    .map((info) => encode(nameOnly ? { name: info.name, type: info.type } : info));
  return context.cursors.start(`${request.db}.$cmd.listCollections`, request, undefined, true, function* () {
    yield infos;
  });
}

export function listDatabases(context: Context, request: Request): Doc {
  const { command } = request;
  assertOptions('listDatabases', command, ['filter', 'nameOnly', 'authorizedDatabases']);
  const sizes = new Map<string, number>();
  for (const { ns, bytes } of context.engine.list())
    sizes.set(databaseOf(ns), (sizes.get(databaseOf(ns)) ?? 0) + bytes);
  const test = compile(parseFilter(isDoc(command.filter) ? command.filter : {}));
  const all = [...sizes].map(([name, size]) => ({ name, sizeOnDisk: new Double(size), empty: false })).filter(test);
  if (booleanOf(command.nameOnly)) return { databases: all.map(({ name }) => ({ name })) };
  return { databases: all, totalSize: new Double([...sizes.values()].reduce((sum, size) => sum + size, 0)) };
}

export function collStats(context: Context, request: Request): Doc {
  const { command } = request;
  assertOptions('collStats', command, ['scale']);
  const ns = namespaceOf(request, command.collStats);
  const collection = context.engine.find(ns);
  const count = collection?.count ?? 0;
  const size = collection?.bytes ?? 0;
  return {
    ns,
    count: new Int32(count),
    size: new Double(size),
    avgObjSize: new Double(count === 0 ? 0 : Math.floor(size / count)),
    storageSize: new Double(size),
    nindexes: new Int32(collection ? collection.indexes.length + 1 : 0),
    totalIndexSize: new Double(0),
    indexSizes: {},
  };
}

export function dbStats(context: Context, request: Request): Doc {
  assertOptions('dbStats', request.command, ['scale', 'freeStorage']);
  const collections = inDatabase(context, request.db);
  const size = collections.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    db: request.db,
    collections: new Int32(collections.length),
    views: new Int32(0),
    objects: new Int32(collections.reduce((sum, { count }) => sum + count, 0)),
    dataSize: new Double(size),
    storageSize: new Double(size),
    indexes: new Int32(collections.reduce((sum, { indexes }) => sum + indexes.length + 1, 0)),
    indexSize: new Double(0),
  };
}

import type { Client } from '../support/server.js';
import { matches, type Json } from './match-result.js';

type Operation = {
  name: string;
  object: string;
  arguments?: Json;
  expectResult?: unknown;
  expectError?: Json;
  saveResultAsEntity?: string;
  ignoreResultAndError?: boolean;
};
type Requirement = {
  minServerVersion?: string;
  maxServerVersion?: string;
  topologies?: string[];
  auth?: boolean;
  serverless?: string;
};
type InitialData = { collectionName: string; databaseName: string; documents: Json[] };
type Test = {
  description: string;
  runOnRequirements?: Requirement[];
  skipReason?: string;
  operations: Operation[];
  outcome?: InitialData[];
};

export interface TestFile {
  description: string;
  runOnRequirements?: Requirement[];
  createEntities?: Record<string, Json>[];
  initialData?: InitialData[];
  tests: Test[];
}

const SERVER_VERSION = [7, 0, 14];

function compareVersion(text: string): number {
  const parts = text.split('.').map(Number);
  for (let i = 0; i < 3; i++) {
    const difference = (SERVER_VERSION[i] ?? 0) - (parts[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const meets = (need: Requirement): boolean =>
  (!need.minServerVersion || compareVersion(need.minServerVersion) >= 0) &&
  (!need.maxServerVersion || compareVersion(need.maxServerVersion) <= 0) &&
  (!need.topologies || need.topologies.includes('single')) &&
  need.auth !== true &&
  need.serverless !== 'require';

/** Why a test does not apply to a standalone server of this version, or undefined. */
export function notApplicable(file: TestFile, test: Test): string | undefined {
  if (test.skipReason) return `the suite skips it: ${test.skipReason}`;
  for (const needs of [file.runOnRequirements, test.runOnRequirements]) {
    if (needs && !needs.some(meets)) return 'another server version or topology';
  }
  if (test.operations.some(({ name }) => name === 'failPoint')) return 'fail points are test hooks of MongoDB';
  const unacknowledged = JSON.stringify(file.createEntities ?? []).includes('"w":0');
  if (unacknowledged && test.outcome === undefined) return 'unacknowledged writes without an outcome show nothing';
  return undefined;
}

/** Runs one test; resolves when it passes and rejects with the difference when it does not. */
export async function runTest(client: Client, file: TestFile, test: Test): Promise<void> {
  for (const data of file.initialData ?? []) await load(client, data);
  const entities = entitiesOf(client, file);
  for (const operation of test.operations) await runOperation(entities, operation);
  for (const expected of test.outcome ?? []) {
    const documents = await client
      .db(expected.databaseName)
      .collection(expected.collectionName)
      .find({}, { sort: { _id: 1 } })
      .toArray();
    matches(expected.documents, documents, 'outcome', entities);
  }
}

async function load(client: Client, { databaseName, collectionName, documents }: InitialData): Promise<void> {
  const collection = client.db(databaseName).collection(collectionName);
  await collection.drop().catch(() => undefined);
  await client.db(databaseName).createCollection(collectionName);
  if (documents.length > 0) await collection.insertMany(documents);
}

function entitiesOf(client: Client, file: TestFile): Map<string, unknown> {
  const entities = new Map<string, unknown>();
  for (const entity of file.createEntities ?? []) {
    const [[kind, spec] = ['', {} as Json]] = Object.entries(entity);
    const id = spec.id as string;
    if (kind === 'client') entities.set(id, client);
    else if (kind === 'database') entities.set(id, client.db(spec.databaseName as string));
    else if (kind === 'collection') {
      const database = entities.get(spec.database as string) as ReturnType<Client['db']>;
      entities.set(id, database.collection(spec.collectionName as string, spec.collectionOptions ?? {}));
    }
  }
  return entities;
}

async function runOperation(entities: Map<string, unknown>, operation: Operation): Promise<void> {
  let result: unknown;
  try {
    result = await perform(entities.get(operation.object), operation.name, operation.arguments ?? {});
  } catch (error) {
    if (operation.ignoreResultAndError) return;
    if (!operation.expectError) throw error;
    checkError(operation.expectError, error as Json, entities);
    return;
  }
  if (operation.expectError) throw new Error(`${operation.name} succeeded but an error was expected`);
  if (operation.saveResultAsEntity) entities.set(operation.saveResultAsEntity, result);
  if (operation.expectResult !== undefined) matches(operation.expectResult, result, operation.name, entities);
}

function checkError(expected: Json, error: Json, entities: Map<string, unknown>): void {
  const isClient = typeof error.code !== 'number' && error.writeErrors === undefined;
  if (expected.isClientError === true && !isClient) throw new Error('expected an error of the client');
  if (expected.isClientError === false && isClient)
    throw new Error(`expected an error of the server, not ${String(error.message)}`);
  if (expected.errorCode !== undefined && error.code !== expected.errorCode)
    throw new Error(
      `expected code ${JSON.stringify(expected.errorCode)}, not ${String(error.code)}: ${String(error.message)}`,
    );
  if (expected.errorCodeName !== undefined && error.codeName !== expected.errorCodeName)
    throw new Error(`expected ${JSON.stringify(expected.errorCodeName)}, not ${String(error.codeName)}`);
  if (
    typeof expected.errorContains === 'string' &&
    !String(error.message).toLowerCase().includes(expected.errorContains.toLowerCase())
  ) {
    throw new Error(`expected an error with '${expected.errorContains}', not '${String(error.message)}'`);
  }
  if (expected.expectResult !== undefined)
    matches(expected.expectResult, error.result ?? error, 'partial result', entities);
}

type Callable = Record<string, (...args: unknown[]) => unknown>;
type Cursorish = { toArray(): Promise<unknown[]> };

/** The driver call for an operation of the suite. */
async function perform(target: unknown, name: string, args: Json): Promise<unknown> {
  const object = target as Callable;
  const rest: Json = { ...args };
  delete rest.session;
  const call = (method: string, ...positional: unknown[]): unknown => object[method]?.(...positional);
  const without = (...names: string[]): Json =>
    Object.fromEntries(Object.entries(rest).filter(([key]) => !names.includes(key)));
  switch (name) {
    case 'find':
      return (call('find', rest.filter, without('filter')) as Cursorish).toArray();
    case 'aggregate':
      return (call('aggregate', rest.pipeline, without('pipeline')) as Cursorish).toArray();
    case 'findOne':
    case 'countDocuments':
    case 'count':
    case 'deleteOne':
    case 'deleteMany':
    case 'findOneAndDelete':
      return call(name, rest.filter, without('filter'));
    case 'estimatedDocumentCount':
      return call(name, rest);
    case 'distinct':
      return call(name, rest.fieldName, rest.filter, without('fieldName', 'filter'));
    case 'updateOne':
    case 'updateMany':
      return call(name, rest.filter, rest.update, without('filter', 'update'));
    case 'findOneAndUpdate':
      return call(name, rest.filter, rest.update, { ...without('filter', 'update'), ...returned(rest) });
    case 'findOneAndReplace':
      return call(name, rest.filter, rest.replacement, { ...without('filter', 'replacement'), ...returned(rest) });
    case 'replaceOne':
      return call(name, rest.filter, rest.replacement, without('filter', 'replacement'));
    case 'insertOne':
      return call(name, rest.document, without('document'));
    case 'insertMany':
      return call(name, rest.documents, without('documents'));
    case 'bulkWrite':
      return call(name, rest.requests, without('requests'));
    case 'createIndex':
      return call(name, rest.keys, without('keys'));
    case 'createCollection':
      return call(name, rest.collection, without('collection'));
    case 'dropCollection':
      return Promise.resolve(call(name, rest.collection)).catch(() => undefined);
    case 'modifyCollection':
      return call('command', { collMod: rest.collection, ...without('collection') });
    default:
      throw new Error(`the runner does not know the operation ${name}`);
  }
}

const returned = (args: Json): Json =>
  args.returnDocument === undefined ? {} : { returnDocument: (args.returnDocument as string).toLowerCase() };

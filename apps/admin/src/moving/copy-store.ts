import { isDeepStrictEqual } from 'node:util';
import type { mongo } from 'mongoose';
import { STORE_STATE, type StoreStateRecord, UNFINISHED_COPY } from '#libs/persistence';
import { CommandEntries } from '../audit/command-entries.js';
import { CommandError, percent } from '../run-command.js';
import { collectionNames, type ContentDigest, differences, digestOf, Expiry, indexesOf } from './content.js';
import { exactDocument } from './exact-document.js';
import type { StorePlace } from './store-place.js';

const PORTION_RECORDS = 1_000;
const PORTION_BYTES = 4 * 1024 * 1024;

export interface CopyResult {
  readonly collections: number;
  readonly records: number;
  readonly wasResumed: boolean;
}

/**
 * Copies every collection with its indexes into an empty store, and compares both. The target is marked as unfinished
 * until then, so that no Herald starts on it, and an interrupted copy continues where it was.
 * @param auditDays how long the audit log of the target keeps that it is a copy; 0: for good
 * @param report receives lines of progress
 * @throws {CommandError} if the target has other data, or differs at the end
 */
export async function copyStore(
  source: StorePlace,
  target: StorePlace,
  auditDays: number,
  report: (line: string) => void,
): Promise<CopyResult> {
  await assertComplete(source);
  const wasResumed = await begin(source, target);
  const names = await collectionNames(source.db);
  for (const name of names) await copyCollection(source.db.collection(name), target.db, report);
  const { records } = await compare(source, target, names, report);
  for (const name of names) {
    report(`${name}: indexes`);
    await copyIndexes(source.db.collection(name), target.db.collection(name));
  }
  await finish(source, target, { records, auditDays });
  return { collections: names.length, records, wasResumed };
}

function stateOf({ db }: StorePlace): mongo.Collection<StoreStateRecord> {
  return db.collection<StoreStateRecord>(STORE_STATE);
}

async function assertComplete(source: StorePlace): Promise<void> {
  if ((await stateOf(source).findOne({ _id: UNFINISHED_COPY })) === null) return;
  throw new CommandError(`The source (${source.description}) is an unfinished copy itself. Finish it first.`);
}

/** @returns whether the target is an unfinished copy of the same source */
async function begin(source: StorePlace, target: StorePlace): Promise<boolean> {
  const state = stateOf(target);
  const begun = await state.findOne({ _id: UNFINISHED_COPY });
  if (begun !== null) {
    if (begun.source === source.description) {
      // Written at the end of a copy that was not ended: the source has no such records.
      await new CommandEntries(target.db, 0).withdraw((begun.auditEntries ?? []).map((_id) => ({ _id })));
      return true;
    }
    throw new CommandError(
      `The target (${target.description}) is an unfinished copy of ${begun.source}. Drop it, or resume the copy from that source.`,
    );
  }
  const present = await target.db.listCollections({}, { nameOnly: true }).toArray();
  if (present.length > 0) {
    throw new CommandError(
      `The target (${target.description}) is not empty: it has ${present.length} collections. Use an empty one.`,
    );
  }
  await state.insertOne({ _id: UNFINISHED_COPY, source: source.description, startedAt: new Date() });
  return false;
}

async function copyCollection(from: mongo.Collection, target: mongo.Db, report: (line: string) => void): Promise<void> {
  const name = from.collectionName;
  const to = target.collection(name);
  if ((await target.listCollections({ name }, { nameOnly: true }).toArray()).length === 0)
    await target.createCollection(name);
  const total = await from.estimatedDocumentCount();
  let copied = await to.estimatedDocumentCount();
  report(`${name}: ${copied} of ${total} (${percent(copied, total)})`);
  for await (const portion of portionsOf(from, await resumePoint(from, to))) {
    await to.insertMany(portion, { ordered: true, forceServerObjectId: true });
    copied += portion.length;
    report(`${name}: ${copied} of ${total} (${percent(copied, total)})`);
  }
}

/** The filter of what is left to copy. Records are written in the order of their ids, so the last one says it. */
async function resumePoint(from: mongo.Collection, to: mongo.Collection): Promise<mongo.Filter<mongo.Document>> {
  const [last] = await to
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  if (last === undefined) return {};
  if (await hasOneKindOfId(from)) return { _id: { $gt: last._id } };
  // A range of ids matches only those of the same type: such a collection is copied anew.
  await to.deleteMany({});
  return {};
}

async function hasOneKindOfId(collection: mongo.Collection): Promise<boolean> {
  const ids = collection.find({}, { projection: { _id: 1 } }).limit(1);
  const [first] = await ids.clone().sort({ _id: 1 }).toArray();
  const [last] = await ids.clone().sort({ _id: -1 }).toArray();
  return kindOf(first?._id) === kindOf(last?._id);
}

function kindOf(id: unknown): unknown {
  return typeof id === 'object' && id !== null && '_bsontype' in id ? id._bsontype : typeof id;
}

async function* portionsOf(
  from: mongo.Collection,
  filter: mongo.Filter<mongo.Document>,
): AsyncGenerator<mongo.Document[]> {
  let portion: mongo.Document[] = [];
  let bytes = 0;
  const rows = from.find(filter, { raw: true, batchSize: PORTION_RECORDS, noCursorTimeout: true }).sort({ _id: 1 });
  for await (const row of rows) {
    const raw = row as unknown as Buffer;
    portion.push(exactDocument(raw));
    bytes += raw.length;
    if (portion.length < PORTION_RECORDS && bytes < PORTION_BYTES) continue;
    yield portion;
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) yield portion;
}

async function compare(
  source: StorePlace,
  target: StorePlace,
  names: readonly string[],
  report: (line: string) => void,
): Promise<{ records: number }> {
  const now = Date.now();
  const [expected, found]: [Record<string, ContentDigest>, Record<string, ContentDigest>] = [{}, {}];
  let records = 0;
  for (const name of names) {
    report(`${name}: comparing`);
    const expiry = Expiry.of(await indexesOf(source.db.collection(name)));
    const [a, b] = await Promise.all([source, target].map(({ db }) => digestOf(db.collection(name), expiry, now)));
    if (a !== undefined) expected[name] = a;
    if (b !== undefined) found[name] = b;
    records += a?.records ?? 0;
  }
  const differing = differences(expected, found);
  if (differing.length === 0) return { records };
  throw new CommandError(
    `The copy differs from its source in: ${differing.join(', ')}. The source probably changed during the copy: stop ` +
      `every Herald process that uses it, drop the target (${target.description}), and run this command again.`,
  );
}

/** After the records: a unique index is built faster at once, and an expiring one would remove records before they are compared. */
async function copyIndexes(from: mongo.Collection, to: mongo.Collection): Promise<void> {
  const declared = await indexesOf(from);
  if (declared.length > 0) await to.createIndexes(declared);
  if (isDeepStrictEqual((await indexesOf(to)).map(comparable), declared.map(comparable))) return;
  throw new CommandError(`The indexes of ${to.collectionName} differ from those of the source.`);
}

/** The order of an index's fields matters. */
function comparable(index: mongo.IndexDescription): object {
  return { ...index, key: Object.entries(index.key) };
}

/** The state of the source, and last the end of the mark that keeps Herald from starting. */
async function finish(
  source: StorePlace,
  target: StorePlace,
  { records, auditDays }: { readonly records: number; readonly auditDays: number },
): Promise<void> {
  const state = stateOf(target);
  for (const record of await stateOf(source).find().toArray()) {
    await state.replaceOne({ _id: record._id }, record, { upsert: true });
  }
  const entries = new CommandEntries(target.db, auditDays);
  const rows = entries.rowsOf(await entries.ownersOfAll(), {
    action: 'copyStore',
    resource: { type: 'store' },
    changes: [
      { path: 'from', after: source.description },
      { path: 'records', after: records },
    ],
    program: 'herald db:copy',
  });
  await state.updateOne({ _id: UNFINISHED_COPY }, { $set: { auditEntries: rows.map(({ _id }) => _id) } });
  await entries.done(rows);
  await state.deleteOne({ _id: UNFINISHED_COPY });
}

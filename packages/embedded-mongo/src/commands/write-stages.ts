import { randomUUID } from 'node:crypto';
import { ObjectId } from 'bson';
import { encode, isDoc, own, validate, withIdFirst, type Doc } from '../bson/codec.js';
import { isNullish } from '../bson/values.js';
import { badValue, failedToParse, StoreError } from '../errors.js';
import { compileExpression } from '../expressions/expressions.js';
import { parseFilter } from '../query/parse.js';
import type { Collection } from '../store/collection.js';
import type { Engine } from '../store/engine.js';
import { parseUpdate } from '../update/update.js';
import { type Context, namespaceOf, type Request } from './context.js';
import { buildIndex } from './indexes.js';
import { checkedDocument, MAX_TRANSACTION_MS, runWrite, type WriteOutcome } from './write.js';

/** Where a pipeline writes what it gives. */
export interface Target {
  /** Takes the next documents. */
  write(documents: Doc[]): Promise<void>;
  /** After the last one. */
  finish(): Promise<void>;
  /** After an error. */
  giveUp(): Promise<void>;
}

export const isWritingStage = (name: string | undefined): boolean => name === '$out' || name === '$merge';

/** Collections that `$out` fills before they get their name. */
const UNFINISHED = 'tmp.agg_out.';

/** Removes what a crash has left of collections that were not finished. */
export async function removeUnfinished(engine: Engine): Promise<void> {
  const left = engine.list().filter(({ name }) => name.startsWith(UNFINISHED));
  if (left.length > 0) await engine.write(() => left.forEach((collection) => engine.forget(collection)));
}

/** Checks `$out` or `$merge`; what it gives makes the target once the pipeline runs. */
export function parseTarget(context: Context, request: Request, name: string, argument: unknown): () => Target {
  if (context.store !== context.engine)
    throw new StoreError('OperationNotSupportedInTransaction', `${name} cannot be used in a transaction`);
  return name === '$out' ? parseOut(context, request, argument) : parseMerge(context, request, argument);
}

function targetOf(request: Request, value: unknown, name: string): { db: string; ns: string } {
  const { db = request.db, coll, ...others } = isDoc(value) ? value : { coll: value };
  if (typeof db !== 'string' || Object.keys(others).length > 0)
    throw failedToParse(`${name} needs the name of a collection, or {db, coll}`);
  return { db, ns: namespaceOf({ ...request, db }, coll) };
}

/** Documents in transactions of a time slice. */
async function inSlices(engine: Engine, documents: readonly Doc[], write: (doc: Doc) => void): Promise<void> {
  for (let at = 0; at < documents.length;) {
    await engine.write(() => {
      const started = performance.now();
      do write(documents[at++] as Doc);
      while (at < documents.length && performance.now() - started < MAX_TRANSACTION_MS);
    });
  }
}

function parseOut({ engine }: Context, request: Request, argument: unknown): () => Target {
  const { db, ns } = targetOf(request, argument, '$out');
  return () => {
    const unfinished = `${db}.${UNFINISHED}${randomUUID()}`;
    let collection: Collection | undefined;
    const begin = (): Collection => {
      const present = engine.find(ns);
      const made = engine.ensure(unfinished, present?.record.options);
      made.indexes = (present?.indexes ?? []).map(({ record }) => buildIndex(engine, made, record.spec));
      made.indexesChanged();
      engine.saveRecord(made);
      return made;
    };
    return {
      async write(documents) {
        collection ??= await engine.write(begin);
        const into = collection;
        await inSlices(engine, documents, (doc) => into.insert(checkedDocument(encode(doc))));
      },
      async finish() {
        collection ??= await engine.write(begin);
        await engine.write(() => {
          const [made, old] = [engine.find(unfinished), engine.find(ns)];
          if (old) engine.forget(old);
          if (made) engine.rename(made, ns);
        });
        await engine.sweep();
      },
      async giveUp() {
        await engine.write(() => {
          const made = engine.find(unfinished);
          if (made) engine.forget(made);
        });
        await engine.sweep();
      },
    };
  };
}

const MERGE_FIELDS = ['into', 'on', 'let', 'whenMatched', 'whenNotMatched'];
const WHEN_MATCHED = ['replace', 'keepExisting', 'merge', 'fail'];
const WHEN_NOT_MATCHED = ['insert', 'discard', 'fail'];

interface Merge {
  ns: string;
  on: string[];
  whenMatched: unknown;
  whenNotMatched: unknown;
  bindings: [string, unknown][];
}

function parseMerge(context: Context, request: Request, argument: unknown): () => Target {
  const spec = isDoc(argument) ? argument : { into: argument };
  const unknown = Object.keys(spec).find((name) => !MERGE_FIELDS.includes(name));
  if (unknown !== undefined) throw failedToParse(`BSON field '$merge.${unknown}' is an unknown field`);
  const { on = '_id', whenMatched = 'merge', whenNotMatched = 'insert' } = spec;
  const fields: unknown[] = Array.isArray(on) ? on : [on];
  if (fields.length === 0 || !fields.every((field) => typeof field === 'string'))
    throw failedToParse("'on' of $merge must be a field or an array of fields");
  if (!Array.isArray(whenMatched) && !WHEN_MATCHED.includes(String(whenMatched)))
    throw badValue(`'whenMatched' of $merge must be ${WHEN_MATCHED.join(', ')} or a pipeline`);
  if (!WHEN_NOT_MATCHED.includes(String(whenNotMatched)))
    throw badValue(`'whenNotMatched' of $merge must be ${WHEN_NOT_MATCHED.join(', ')}`);
  if (spec.let !== undefined && !isDoc(spec.let)) throw failedToParse("'let' of $merge must be a document");
  const bindings = Object.entries(spec.let ?? { new: '$$ROOT' });
  const { ns } = targetOf(request, spec.into, '$merge');
  const merge = { ns, on: fields, whenMatched, whenNotMatched, bindings };
  parseUpdate(pipelineOf(merge, {}), parseFilter({}), undefined, {});
  return () => {
    assertUnique(context.engine, merge);
    return {
      write: (documents) => inSlices(context.engine, documents, (doc) => mergeOne(context.engine, merge, doc)),
      finish: () => Promise.resolve(),
      giveUp: () => Promise.resolve(),
    };
  };
}

function assertUnique(engine: Engine, { ns, on }: Merge): void {
  const wanted = on.toSorted().join();
  const isUnique = engine
    .find(ns)
    ?.indexes.some(
      (index) => index.unique && !index.partial && Object.keys(index.record.key).toSorted().join() === wanted,
    );
  if (wanted !== '_id' && !isUnique)
    throw new StoreError('Location51183', "$merge needs a unique index with exactly the fields of 'on'", {}, 51183);
}

const IDENTITY = [{ $replaceWith: '$$ROOT' }];

function pipelineOf({ whenMatched }: Merge, doc: Doc): unknown {
  if (Array.isArray(whenMatched)) return whenMatched;
  if (whenMatched === 'merge') return [{ $replaceWith: { $mergeObjects: ['$$ROOT', '$$new'] } }];
  return whenMatched === 'replace' ? doc : IDENTITY;
}

function mergeOne(engine: Engine, merge: Merge, given: Doc): void {
  const { ns, on, whenMatched, whenNotMatched, bindings } = merge;
  const doc = '_id' in given || !on.includes('_id') ? given : { _id: new ObjectId(), ...given };
  const filterSource: Doc = {};
  for (const field of on) {
    const value = field.split('.').reduce<unknown>((node, part) => (isDoc(node) ? own(node, part) : undefined), doc);
    if (isNullish(value) || Array.isArray(value))
      throw new StoreError('Location51132', "$merge needs a value that is no array for each field of 'on'", {}, 51132);
    filterSource[field] = { $eq: value };
  }
  const variables = Object.fromEntries(
    bindings.map(([name, value]) => [name, compileExpression(value)({ root: doc, variables: {} }) ?? null]),
  );
  const filter = parseFilter(filterSource);
  const constants = { ...variables, ...(bindings.some(([name]) => name === 'new') ? {} : { new: doc }) };
  const update = parseUpdate(pipelineOf(merge, doc), filter, undefined, constants);
  const statement = { filterSource, filter, sort: [], hint: undefined, multi: false, update, upsert: false };
  const outcome: WriteOutcome = runWrite(engine, ns, statement, { examined: 0, scanned: false });
  if (outcome.matched > 0) {
    if (whenMatched === 'fail') throw new StoreError('DuplicateKey', '$merge found a document that matches');
    return;
  }
  if (whenNotMatched === 'fail')
    throw new StoreError('MergeStageNoMatchingDocument', '$merge could not find a matching document', {}, 13113);
  if (whenNotMatched === 'discard') return;
  const raw = withIdFirst(encode(doc));
  validate(raw);
  engine.ensure(ns).insert(raw);
}

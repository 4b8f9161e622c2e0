import { pick, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { compareValues } from '../bson/values.js';
import { badValue } from '../errors.js';
import { CollatedKey, type Collation, parseCollation } from '../bson/collation.js';
import { collated } from '../query/ast.js';
import { parseFilter } from '../query/parse.js';
import { Sorter } from '../query/sorter.js';
import { valuesAtPath } from '../bson/paths.js';
import { resolveHint } from '../search/search.js';
import { type Context, namespaceOf, Pace, type Request } from './context.js';
import { found } from './find.js';
import { assertOptions } from './options.js';

/** Different values of a field; an array counts with its elements. */
export async function distinct(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('distinct', command, ['key', 'query', 'hint', 'collation']);
  const ns = namespaceOf(request, command.distinct);
  if (typeof command.key !== 'string' || command.key === '') throw badValue("'key' must be a field name");
  const path = command.key.split('.');
  const query = command.query ?? {};
  const collection = context.store.find(ns);
  const hint = collection && resolveHint(collection, command.hint);
  const collation = parseCollation(command.collation);
  const wanted = {
    filter: collated(parseFilter(query), collation),
    sort: [],
    skip: 0,
    limit: 0,
    ...(hint === undefined ? {} : { hint }),
  };
  const values = new Map<string, unknown>();
  const fields = new Set([path[0] as string]);
  for await (const batch of found(context, ns, wanted, request, query)) {
    for (const { raw } of batch) {
      for (const value of valuesAtPath(pick(raw, fields), path)) {
        const key = encodeWhole([value], [1]).toString('latin1');
        if (!values.has(key)) values.set(key, value);
      }
    }
  }
  return { values: await inOrder(values.values(), collation, request) };
}

/** Sorted in steps; of those that are equal by the rules of a language, one. */
async function inOrder(
  values: Iterable<unknown>,
  collation: Collation | undefined,
  request: Request,
): Promise<unknown[]> {
  const pace = new Pace(request);
  const sorter = new Sorter<unknown>();
  for (const value of values) {
    const key = encodeWhole([value], [1]);
    sorter.add(collation ? new CollatedKey([value], [1], collation, key.length) : key, value, key.length);
    await pace.breathe();
  }
  const sorted: unknown[] = [];
  for (const step of sorter.sorted()) {
    for (const value of step) {
      if (!collation || sorted.length === 0 || compareValues(sorted.at(-1), value, collation.compare) !== 0)
        sorted.push(value);
    }
    await pace.breathe();
  }
  return sorted;
}

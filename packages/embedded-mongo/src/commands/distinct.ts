import { pick, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { compareValues } from '../bson/values.js';
import { badValue } from '../errors.js';
import { parseFilter } from '../query/parse.js';
import { valuesAtPath } from '../bson/paths.js';
import { resolveHint } from '../search/search.js';
import { type Context, namespaceOf, type Request } from './context.js';
import { found } from './find.js';
import { assertOptions } from './options.js';

/** Different values of a field; an array counts with its elements. */
export async function distinct(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('distinct', command, ['key', 'query', 'hint']);
  const ns = namespaceOf(request, command.distinct);
  if (typeof command.key !== 'string' || command.key === '') throw badValue("'key' must be a field name");
  const path = command.key.split('.');
  const query = command.query ?? {};
  const collection = context.engine.find(ns);
  const hint = collection && resolveHint(collection, command.hint);
  const wanted = { filter: parseFilter(query), sort: [], skip: 0, limit: 0, ...(hint === undefined ? {} : { hint }) };
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
  return { values: [...values.values()].sort(compareValues) };
}

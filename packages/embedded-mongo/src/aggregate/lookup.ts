import { BSONRegExp } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { failedToParse, notSupported } from '../errors.js';
import { valuesAtPath } from '../bson/paths.js';
import { addAt } from '../query/projection.js';
import { compileExpression } from '../expressions/expressions.js';
import type { Environment, Stage } from './stages.js';

const FIELDS = new Set(['from', 'as', 'localField', 'foreignField', 'let', 'pipeline']);

/** `$lookup`, by fields (which uses the other collection's indexes), by pipeline, or both. */
export function compileLookup(argument: unknown, { variables, lookup }: Environment): Stage {
  if (!isDoc(argument)) throw failedToParse('the $lookup specification must be an Object');
  for (const name of Object.keys(argument))
    if (!FIELDS.has(name)) throw failedToParse(`unknown argument to $lookup: ${name}`);
  const { from, as, localField, foreignField } = argument;
  if (typeof from !== 'string' || typeof as !== 'string') throw failedToParse("$lookup needs 'from' and 'as'");
  const byFields = localField !== undefined || foreignField !== undefined;
  if (byFields && (typeof localField !== 'string' || typeof foreignField !== 'string'))
    throw failedToParse("$lookup needs both 'localField' and 'foreignField'");
  if (!byFields && argument.pipeline === undefined) throw failedToParse("$lookup needs either fields or a 'pipeline'");
  const pipeline = (argument.pipeline ?? []) as unknown[];
  const bindings = Object.entries((argument.let ?? {}) as Doc).map(([name, value]) => ({
    name,
    value: compileExpression(value),
  }));
  const local = byFields ? (localField as string).split('.') : [];
  const target = as.split('.');
  return async function* (source) {
    for await (const batch of source) {
      const joined: Doc[] = [];
      for (const doc of batch) {
        const bound = Object.fromEntries(
          bindings.map(({ name, value }) => [name, value({ root: doc, variables }) ?? null]),
        );
        const first = byFields ? [{ $match: { [foreignField as string]: condition(valuesAtPath(doc, local)) } }] : [];
        const out = { ...doc };
        addAt(out, target, await lookup(from, [...first, ...pipeline], { ...variables, ...bound }));
        joined.push(out);
      }
      yield joined;
    }
  };
}

/** A missing local value is joined with missing and null ones; an array with each of its elements. */
function condition(values: unknown[]): Doc {
  if (values.some((value) => value instanceof BSONRegExp)) throw notSupported('$lookup by regular expressions');
  return values.length === 1 ? { $eq: values[0] } : { $in: values.length === 0 ? [null] : values };
}

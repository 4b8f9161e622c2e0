import { stringify } from 'yaml';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Portions } from '#libs/worker-pool';

/** Their entries are written one by one. */
const LARGE = [['paths'], ['components', 'schemas']] as const;

/** Same output as one `stringify()`, but pauses between operations and schemas. */
export function* yamlInPortions(document: OpenAPIObject): Portions<string> {
  const texts: string[] = [];
  yield* write(document, [], texts);
  return texts.join('');
}

function* write(value: object, at: readonly string[], texts: string[]): Portions<void> {
  for (const [key, entry] of Object.entries(value) as [string, unknown][]) {
    const path = [...at, key];
    if (isObject(entry) && LARGE.some((large) => path.every((name, depth) => large[depth] === name))) {
      texts.push(headOf(path));
      yield* write(entry, path, texts);
    } else {
      texts.push(yamlOf(entry, path).slice(at.length === 0 ? 0 : headsLength(at)));
      yield;
    }
  }
}

/** Only a mapping with entries continues on the next lines. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

/** Wrapped in the mappings that lead to it, so that it is indented. */
function yamlOf(value: unknown, path: readonly string[]): string {
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return stringify(nested, { aliasDuplicateObjects: false });
}

const headOf = (path: readonly string[]): string => `${'  '.repeat(path.length - 1)}${path.at(-1) ?? ''}:\n`;

const headsLength = (path: readonly string[]): number =>
  path.reduce((length, _key, depth) => length + headOf(path.slice(0, depth + 1)).length, 0);

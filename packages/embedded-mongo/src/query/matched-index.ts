import { isDoc, type Doc } from '../bson/codec.js';
import { someAtPath } from '../bson/paths.js';
import { conjuncts, type Node } from './ast.js';
import { elementTest, valueTest } from './match.js';

/** Which element of an array the filter matched: of the last condition that looks into that array. */
export function matchedIndex(filter: Node, array: unknown, arrayPath: readonly string[]): number | undefined {
  if (!Array.isArray(array)) return undefined;
  let found: number | undefined;
  for (const node of conjuncts(filter)) {
    if (!('path' in node) || !arrayPath.every((part, index) => node.path[index] === part)) continue;
    const rest = node.path.slice(arrayPath.length);
    const test = node.type === 'elemMatch' && rest.length === 0 ? elementTest(node) : valueTest(node);
    const index = array.findIndex((item: unknown) =>
      rest.length === 0 ? test(item) : isDoc(item) && someAtPath(item, rest, test),
    );
    if (index >= 0) found = index;
  }
  return found;
}

/** The document with nothing but the matched element in an array. */
export function withMatchedElement(doc: Doc, filter: Node, path: readonly string[]): Doc | undefined {
  const place = path.slice(0, -1).reduce<unknown>((node, part) => (isDoc(node) ? node[part] : undefined), doc);
  const array = isDoc(place) ? place[path.at(-1) as string] : undefined;
  const index = matchedIndex(filter, array, path);
  return index === undefined ? undefined : replaced(doc, path, [(array as unknown[])[index]]);
}

function replaced(doc: Doc, [first = '', ...rest]: readonly string[], value: unknown): Doc {
  return { ...doc, [first]: rest.length === 0 ? value : replaced(doc[first] as Doc, rest, value) };
}

import type { BSONRegExp } from 'bson';
import type { Doc } from '../bson/codec.js';
import type { Collation } from '../bson/collation.js';
import { KIND, kindOf } from '../bson/values.js';
import { notSupported } from '../errors.js';

export type CompareOp = 'eq' | 'lt' | 'lte' | 'gt' | 'gte';

/** One condition on what a path reaches. */
export type Leaf =
  | { type: 'compare'; op: CompareOp; path: string[]; value: unknown; collation?: Collation }
  | { type: 'in'; path: string[]; values: unknown[]; regexes: RegexCondition[]; collation?: Collation }
  | { type: 'regex'; path: string[]; regex: RegexCondition }
  | { type: 'exists'; path: string[] }
  | { type: 'kind'; path: string[]; codes: ReadonlySet<number> }
  | { type: 'size'; path: string[]; size: number }
  | { type: 'mod'; path: string[]; divisor: bigint; remainder: bigint }
  | { type: 'bits'; path: string[]; mask: bigint; how: string }
  | { type: 'elemMatch'; path: string[]; node: Node; values: boolean };

export interface RegexCondition {
  source: BSONRegExp;
  compiled: RegExp;
}

/** A parsed filter. `not` negates its single child; `expr` is a compiled `$expr`. */
export type Node =
  | Leaf
  | { type: 'and' | 'or' | 'nor'; nodes: Node[] }
  | { type: 'not'; node: Node }
  | { type: 'expr'; test: (doc: Doc) => boolean };

/** The conditions that all must hold, with nested `$and` opened up. */
export function conjuncts(node: Node): Node[] {
  return node.type === 'and' ? node.nodes.flatMap(conjuncts) : [node];
}

/** Top-level fields that a filter reads, or undefined when it may read any. */
export function fieldsOf(node: Node): Set<string> | undefined {
  const names = new Set<string>();
  return collect(node, names) ? names : undefined;
}

function collect(node: Node, names: Set<string>): boolean {
  switch (node.type) {
    case 'and':
    case 'or':
    case 'nor':
      return node.nodes.every((inner) => collect(inner, names));
    case 'not':
      return collect(node.node, names);
    case 'expr':
      return false;
    default:
      names.add(node.path[0] as string);
      return true;
  }
}

/** The same conditions with texts compared by the rules of a language. A condition without texts stays as it is. */
export function collated(node: Node, collation: Collation | undefined): Node {
  if (!collation) return node;
  switch (node.type) {
    case 'and':
    case 'or':
    case 'nor':
      return { ...node, nodes: node.nodes.map((inner) => collated(inner, collation)) };
    case 'not':
      return { ...node, node: collated(node.node, collation) };
    case 'elemMatch':
      return { ...node, node: collated(node.node, collation) };
    case 'compare':
      return holdsText(node.value) ? { ...node, collation } : node;
    case 'in':
      return node.values.some(holdsText) ? { ...node, collation } : node;
    case 'expr':
      throw notSupported('$expr with a collation', 'compare with the operators of queries, such as $eq and $in');
    default:
      return node;
  }
}

function holdsText(value: unknown): boolean {
  const kind = kindOf(value);
  if (kind === KIND.Array) return (value as unknown[]).some(holdsText);
  return kind === KIND.Object ? Object.values(value as Doc).some(holdsText) : kind === KIND.String;
}

import { isDeepStrictEqual } from 'node:util';
import {
  type Alias,
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
} from 'yaml';
import type { Definition } from './kinds.js';

const STACK_OVERFLOW = /call stack/;
const TOO_DEEP = 'the values are nested too deeply';
/** One line of text stays one line. */
const TEXT_OPTIONS = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;
/** Characters that a block would not keep. */
const NOT_IN_BLOCKS =
  /[^\n\x20-\x7e\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|[\u2028\u2029\ufeff]|[ \t]\n|\n[ \t]+$|^[ \t\n]/u;

export interface TextFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The text of a file with the places of its fields. */
export class DefinitionText {
  private constructor(
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
    readonly definition: Definition,
    readonly faults: readonly TextFault[],
  ) {}

  /** Reads YAML, and JSON as a part of YAML. */
  static parse(text: string): DefinitionText {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const faults = faultsIn(document, lines);
    if (faults.length > 0) return new DefinitionText(document, lines, {}, faults);
    if (!isMap(document.contents)) {
      return new DefinitionText(document, lines, {}, [
        { line: 1, column: 1, message: 'must be a mapping of fields to values' },
      ]);
    }
    try {
      return new DefinitionText(document, lines, definitionIn(document), []);
    } catch (error) {
      return new DefinitionText(document, lines, {}, [unreadable(document, lines, error as Error)]);
    }
  }

  /** Line and column of a field, or of the nearest field around it that the file has. @param path with dots */
  placeOf(path: string): { line: number; column: number } {
    const segments = path.split('.').map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
    for (let length = segments.length; length > 0; length -= 1) {
      const found = this.positionOf(segments.slice(0, length));
      if (found !== undefined) return placeAt(this.lines, found);
    }
    return { line: 1, column: 1 };
  }

  /** The text with another definition; comments and order of what stays are kept. */
  withDefinition(definition: Definition): string {
    this.document.contents = merged(this.document, this.document.contents, definition) as typeof this.document.contents;
    inBlocks(this.document);
    return this.document.toString(TEXT_OPTIONS);
  }

  /** The schema that a member `$schema` names, as JSON files have it. */
  get schema(): string | undefined {
    const named = this.document.get('$schema');
    return typeof named === 'string' ? named : undefined;
  }

  private positionOf(segments: readonly (string | number)[]): number | undefined {
    const parent = segments.length > 1 ? this.document.getIn(segments.slice(0, -1), true) : this.document.contents;
    const last = segments.at(-1);
    if (isMap(parent)) {
      const key = parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(last))?.key;
      return isScalar(key) ? key.range?.[0] : undefined;
    }
    const item = isSeq(parent) && typeof last === 'number' ? parent.items[last] : undefined;
    return isNode(item) ? item.range?.[0] : undefined;
  }
}

/** `$schema` is for editors and no part of the definition. */
function definitionIn(document: Document.Parsed): Definition {
  const { $schema: _, ...definition } = document.toJS() as Record<string, unknown>;
  return definition;
}

/** A file that is nested too deeply has the same fault at each level. */
function faultsIn(document: Document.Parsed, lines: LineCounter): TextFault[] {
  const faults = document.errors.map(({ message, pos: [start] }) => ({ ...placeAt(lines, start), message }));
  const deep = faults.findLast(({ message }) => STACK_OVERFLOW.test(message));
  return deep === undefined ? faults : [{ ...deep, message: TOO_DEEP }];
}

/** Why a file that can be parsed has no value: its aliases, or its depth. */
function unreadable(document: Document.Parsed, lines: LineCounter, { message }: Error): TextFault {
  if (STACK_OVERFLOW.test(message)) return { line: 1, column: 1, message: TOO_DEEP };
  const aliases: Alias[] = [];
  visit(document, { Alias: (_key, alias) => void aliases.push(alias) });
  const unresolved = aliases.find((alias) => alias.resolve(document) === undefined);
  const [start = 0] = (unresolved ?? aliases[0])?.range ?? [];
  const reason = unresolved
    ? `the alias '*${unresolved.source}' has no anchor '&${unresolved.source}' before it`
    : 'the aliases stand for too many values. Write the values themselves';
  return { ...placeAt(lines, start), message: reason };
}

function placeAt(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** @param schema address of the JSON schema, for editors; relative to the file */
export function printYaml(definition: Definition, schema?: string): string {
  const document = new Document(definition, { aliasDuplicateObjects: false });
  inBlocks(document);
  const text = document.toString(TEXT_OPTIONS);
  return schema === undefined ? text : `# yaml-language-server: $schema=${schema}\n${text}`;
}

export function printJson(definition: Definition, schema: string): string {
  return `${JSON.stringify({ $schema: schema, ...definition }, null, 2)}\n`;
}

/** Texts of several lines become blocks, so that a changed line is a changed line of the file. */
function inBlocks(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'string' || !node.value.includes('\n')) return;
      node.type = NOT_IN_BLOCKS.test(node.value) ? Scalar.QUOTE_DOUBLE : Scalar.BLOCK_LITERAL;
    },
  });
}

function merged(document: Document, node: unknown, value: unknown): Node {
  if (isNode(node) && isDeepStrictEqual(node.toJS(document), value)) return node;
  if (isMap(node) && isPlain(value)) return mergedMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) {
    const left = [...node.items];
    node.items = (value as unknown[]).map((item) => merged(document, takeSimilar(document, left, item), item));
    return node;
  }
  if (isScalar(node) && (value === null || typeof value !== 'object')) {
    node.value = value;
    delete node.type;
    return node;
  }
  return document.createNode(value, { aliasDuplicateObjects: false });
}

function mergedMap(document: Document, map: YAMLMap, value: Record<string, unknown>): YAMLMap {
  const keyOf = (key: unknown): string => String(isScalar(key) ? key.value : key);
  map.items = map.items.filter(({ key }) => keyOf(key) in value || keyOf(key) === '$schema');
  for (const [key, member] of Object.entries(value)) {
    const pair = map.items.find((item) => keyOf(item.key) === key);
    if (pair) pair.value = merged(document, pair.value, member);
    else map.items.push(document.createPair(key, member, { aliasDuplicateObjects: false }));
  }
  return map;
}

/** The entry that the item was before: an equal one, one of the same name, or the next one. */
function takeSimilar(document: Document, left: unknown[], item: unknown): unknown {
  const values = left.map((node) => (isNode(node) ? (node.toJS(document) as unknown) : node));
  const same = values.findIndex((value) => isDeepStrictEqual(value, item));
  const named =
    same >= 0 ? same : values.findIndex((value) => nameOf(value) !== undefined && nameOf(value) === nameOf(item));
  const at =
    named >= 0 ? named : values.findIndex((value) => nameOf(value) === undefined && nameOf(item) === undefined);
  return at < 0 ? undefined : left.splice(at, 1)[0];
}

function nameOf(value: unknown): unknown {
  return isPlain(value) ? (value['uuid'] ?? value['stepId'] ?? value['name']) : undefined;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

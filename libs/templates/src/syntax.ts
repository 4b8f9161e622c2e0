import Handlebars from 'handlebars';
import type { Program } from './ast.js';
import { assertAllowed, MAX_EXPRESSIONS, MAX_NESTING } from './syntax-policy.js';
import { TemplateError } from './template-error.js';
import { sizeOf } from './template-size.js';

/** Bytes of UTF-8. */
export const MAX_SOURCE_BYTES = 500_000;

/** @throws {TemplateError} for a template that Herald would not store */
export function parseSource(source: string): Program {
  assertSized(source);
  sizeOf(source);
  return parseStored(source);
}

/** For threads: a template that was stored earlier may take long. @throws {TemplateError} for one that Herald would not run */
export function parseStored(source: string): Program {
  assertSized(source);
  const program = parseWithHandlebars(source);
  assertAllowed(program);
  return program;
}

function assertSized(source: string): void {
  if (Buffer.byteLength(source) > MAX_SOURCE_BYTES) {
    throw new TemplateError(`a template may hold at most ${MAX_SOURCE_BYTES / 1000} kB`);
  }
  assertQuickToParse(source);
}

/** Above the limits after parsing, because comments and escaped expressions count here. */
const MAX_OPEN = 200;
const MAX_ELSE = 500;
const MAX_TAGS = 3 * MAX_EXPRESSIONS;
const TAGS_AND_PARENTHESES = /\{\{~?\s*([#^/]|else\b)?|\}\}|[()]/g;

interface SourceCount {
  tags: number;
  elses: number;
  blocks: number;
  parentheses: number;
  isInTag: boolean;
}

/** Handlebars' parser takes quadratic time for deep nesting and long chains. */
function assertQuickToParse(source: string): void {
  const count: SourceCount = { tags: 0, elses: 0, blocks: 0, parentheses: 0, isInTag: false };
  for (const [text, sign] of source.matchAll(TAGS_AND_PARENTHESES)) {
    if (text === '(' || text === ')') countParenthesis(text, count);
    else if (text === '}}') count.isInTag = false;
    else countTag(sign, count);
    const isTooDeep = count.blocks > MAX_OPEN || count.parentheses > MAX_OPEN || count.elses > MAX_ELSE;
    if (isTooDeep) throw new TemplateError(`expressions may be nested at most ${MAX_NESTING} levels deep`);
    if (count.tags > MAX_TAGS) throw new TemplateError(`a template may hold at most ${MAX_EXPRESSIONS} expressions`);
  }
}

function countParenthesis(text: '(' | ')', count: SourceCount): void {
  if (count.isInTag) count.parentheses += text === '(' ? 1 : -1;
}

function countTag(sign: string | undefined, count: SourceCount): void {
  count.tags += 1;
  count.parentheses = 0;
  count.isInTag = true;
  if (sign === 'else') count.elses += 1;
  else if (sign === '/') count.blocks -= 1;
  else if (sign !== undefined) count.blocks += 1;
}

function parseWithHandlebars(source: string): Program {
  try {
    // The library's types leave `type` a plain string; `Program` describes the same nodes as unions.
    return Handlebars.parse(source) as unknown as Program;
  } catch (error) {
    const bracketed = withBrackets(source);
    if (bracketed !== source) return parseWithHandlebars(bracketed);
    throw describe(error);
  }
}

const TAGS = /\{\{[^{}]*\}\}/g;
const QUOTED_OR_PLACE = /"[^"]*"|'[^']*'|(?<=[\w\]])\.(\d+)(?=[.\s}=)~|])/g;

/** A place in a list, `{{list.1}}`, as Handlebars reads it: `{{list.[1]}}`. */
function withBrackets(source: string): string {
  return source.replace(TAGS, (tag) =>
    tag.replace(QUOTED_OR_PLACE, (text, place?: string) => (place === undefined ? text : `.[${place}]`)),
  );
}

const TOKEN_WORDS: Readonly<Record<string, string>> = {
  CLOSE: '"}}" is not expected here',
  CLOSE_UNESCAPED: '"}}}" is not expected here',
  CLOSE_SEXPR: '")" is not expected here',
  OPEN_ENDBLOCK: 'a block is closed that was not opened',
  INVERSE: '"else" is not expected here',
  INVALID: 'an expression holds a character that is not allowed there, or is not closed with "}}"',
  EOF: 'a block or an expression is left open at the end',
};

/** For authors who do not know Handlebars' grammar. */
function describe(error: unknown): TemplateError {
  if (error instanceof RangeError) return new TemplateError('expressions are nested too deeply');
  const message = error instanceof Error ? error.message : '';
  const line = readNumber(/on line (\d+)/, message);
  const token = /got '(\w+)'/.exec(message)?.[1];
  if (token !== undefined) {
    return new TemplateError(TOKEN_WORDS[token] ?? 'an expression has a part that is not expected there', { line });
  }
  const position = readPosition(message);
  const mismatch = /^(.{1,80}) doesn't match (.{1,80}) - /.exec(message);
  if (mismatch) {
    return new TemplateError(`the block "${mismatch[1]}" is closed as "${mismatch[2]}"`, position);
  }
  if (message.startsWith('Invalid path')) return new TemplateError('a path is not valid', position);
  return new TemplateError('an expression cannot be read', { line });
}

function readNumber(pattern: RegExp, text: string): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Handlebars ends some messages with " - line:column", the column counted from 0. */
function readPosition(message: string): { line?: number; column?: number } {
  const match = / - (\d+):(\d+)$/.exec(message);
  return match ? { line: Number(match[1]), column: Number(match[2]) + 1 } : {};
}

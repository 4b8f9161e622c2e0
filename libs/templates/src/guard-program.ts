import {
  hasArguments,
  type BlockStatement,
  type Call,
  type Expression,
  type MustacheStatement,
  type PathExpression,
  type Program,
  type Statement,
} from './ast.js';
import { helperOf } from './helper-names.js';
import { EACH_HELPER, isSelf, SECTION_HELPER, SELF_HELPER, usesParents, WITH_HELPER } from './scopes.js';
import type { Escaping } from './marked-values.js';
import { T_HELPER } from './translate.js';

/** No template can contain these names, so only guards call the helpers. */
export const EMIT_HELPER = '#emit';
export const ENTER_HELPER = '#enter';
export const MARK_HELPER = '#mark';
/** Shows a translation that is HTML, with values that are not. */
export const T_HTML_HELPER = '#t';
/** Shows a translation as its translator wrote it, with values that are marked. */
export const T_MARKED_HELPER = '#tm';

interface Guarding {
  /** Of block parameters; they hide helpers of their names. */
  readonly names: ReadonlySet<string>;
  readonly escaping: Escaping;
  readonly hasScopes: boolean;
}

/**
 * Makes a template account for its work: output passes through one helper, and each pass through a block calls another
 * with the length of its plain text. Where it has `../`, blocks are those with a scope for each value. The result is unchanged
 * otherwise.
 */
export function guardProgram(program: Program, escaping: Escaping): Program {
  return guard(program, { names: new Set(), escaping, hasScopes: usesParents(program) });
}

function guard(program: Program, outer: Guarding): Program {
  const own = { ...outer, names: new Set([...outer.names, ...(program.blockParams ?? [])]) };
  let plainLength = 0;
  const body = program.body.map((statement): Statement => {
    if (statement.type === 'ContentStatement') plainLength += statement.value.length;
    if (statement.type === 'MustacheStatement') return guardMustache(statement, own);
    return statement.type === 'BlockStatement' ? guardBlock(statement, own) : statement;
  });
  return { ...program, body: [enter(plainLength), ...body] };
}

function guardBlock(block: BlockStatement, own: Guarding): BlockStatement {
  const called = own.hasScopes ? scopedCall(block, own) : block;
  return {
    ...block,
    ...called,
    program: block.program && guard(block.program, own),
    inverse: block.inverse && guard(block.inverse, own),
  };
}

const SCOPED: Readonly<Record<string, string>> = { each: EACH_HELPER, with: WITH_HELPER };

function scopedCall(block: BlockStatement, own: Guarding): Pick<BlockStatement, 'path' | 'params' | 'hash'> {
  const { path } = block;
  const name = nameOf(block, own);
  if (name === undefined && !hasArguments(block)) {
    return {
      path: pathTo(SECTION_HELPER),
      params: [path.type === 'PathExpression' ? path : pathTo(String(path.original))],
    };
  }
  const scoped = name !== undefined && block.params.length === 1 ? SCOPED[name] : undefined;
  return scoped === undefined ? argumentsOf(block, own) : { ...block, path: pathTo(scoped) };
}

function guardMustache(mustache: MustacheStatement, own: Guarding): MustacheStatement {
  const { type, escaped, loc } = mustache;
  const isTranslation = nameOf(mustache, own) === T_HELPER;
  const isMarked = own.escaping === 'marks' && escaped && !isTranslation;
  return {
    ...mustache,
    type,
    escaped,
    loc,
    path: pathTo(isMarked ? MARK_HELPER : EMIT_HELPER),
    params: [valueOf(mustache, own)],
    hash: undefined,
  };
}

/** Undefined for data. A block parameter hides a helper of its name. */
function nameOf(call: Call, { names }: Guarding): string | undefined {
  const called = helperOf(call);
  return called !== undefined && names.has(called) ? undefined : called;
}

/** Helper result or data. */
function valueOf(call: MustacheStatement, own: Guarding): Expression {
  const { path, params, hash } = argumentsOf(call, own);
  const { loc } = call;
  const name = nameOf(call, own);
  const translating = name === T_HELPER ? translatingHelper(call, own) : undefined;
  if (translating) return { type: 'SubExpression', path: pathTo(translating), params, hash, loc };
  if (name !== undefined || hasArguments(call)) return { type: 'SubExpression', path, params, hash, loc };
  return path.type === 'PathExpression' ? selfOf(path, own) : pathTo(String(path.original));
}

/** Undefined: the usual one. */
function translatingHelper(
  { escaped }: Pick<MustacheStatement, 'escaped'>,
  { escaping }: Guarding,
): string | undefined {
  if (escaping === 'marks') return T_MARKED_HELPER;
  return escaping === 'html' && !escaped ? T_HTML_HELPER : undefined;
}

function argumentsOf<T extends Call>(call: T, own: Guarding): T {
  if (!own.hasScopes) return call;
  const params = call.params.map((param) => selfOf(param, own));
  const pairs = call.hash?.pairs.map((pair) => ({ ...pair, value: selfOf(pair.value, own) }));
  return { ...call, params, ...(call.hash && pairs && { hash: { ...call.hash, pairs } }) };
}

/** What the value of a scope is, and not the object that stands for it. */
function selfOf(expression: Expression, own: Guarding): Expression {
  if (!own.hasScopes) return expression;
  if (expression.type === 'SubExpression') return argumentsOf(expression, own);
  if (expression.type !== 'PathExpression' || !isSelf(expression)) return expression;
  return { type: 'SubExpression', path: pathTo(SELF_HELPER), params: [expression] };
}

function enter(plainLength: number): MustacheStatement {
  const length = { type: 'NumberLiteral', value: plainLength, original: plainLength } as const;
  return { type: 'MustacheStatement', escaped: false, path: pathTo(ENTER_HELPER), params: [length] };
}

function pathTo(name: string): PathExpression {
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name };
}

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
import { T_HELPER } from './translate.js';

/** No template can contain these names, so only guards call the helpers. */
export const EMIT_HELPER = '#emit';
export const ENTER_HELPER = '#enter';
/** Shows a translation that is HTML, with values that are not. */
export const T_HTML_HELPER = '#t';

/**
 * Makes a template account for its work: output passes through one helper, and each pass through a block calls another
 * with the length of its plain text. The result is unchanged.
 * @param isHtml of what the template renders; false where nothing is escaped
 */
export function guardProgram(program: Program, isHtml: boolean): Program {
  return guard(program, new Set(), isHtml);
}

function guard(program: Program, outerNames: ReadonlySet<string>, isHtml: boolean): Program {
  const names = new Set([...outerNames, ...(program.blockParams ?? [])]);
  let plainLength = 0;
  const body = program.body.map((statement): Statement => {
    if (statement.type === 'ContentStatement') plainLength += statement.value.length;
    if (statement.type === 'MustacheStatement') return guardMustache(statement, names, isHtml);
    return statement.type === 'BlockStatement' ? guardBlock(statement, names, isHtml) : statement;
  });
  return { ...program, body: [enter(plainLength), ...body] };
}

function guardBlock(block: BlockStatement, names: ReadonlySet<string>, isHtml: boolean): BlockStatement {
  return {
    ...block,
    program: block.program && guard(block.program, names, isHtml),
    inverse: block.inverse && guard(block.inverse, names, isHtml),
  };
}

function guardMustache(mustache: MustacheStatement, names: ReadonlySet<string>, isHtml: boolean): MustacheStatement {
  const { type, escaped, loc } = mustache;
  return {
    ...mustache,
    type,
    escaped,
    loc,
    path: pathTo(EMIT_HELPER),
    params: [valueOf(mustache, names, !escaped && isHtml)],
    hash: undefined,
  };
}

/** Helper result or data. A block parameter hides a helper of its name. */
function valueOf(call: Call, names: ReadonlySet<string>, isHtml: boolean): Expression {
  const { path, params, hash, loc } = call;
  const called = helperOf(call);
  const name = called !== undefined && names.has(called) ? undefined : called;
  if (name === T_HELPER && isHtml) return { type: 'SubExpression', path: pathTo(T_HTML_HELPER), params, hash, loc };
  if (name !== undefined || hasArguments(call)) return { type: 'SubExpression', path, params, hash, loc };
  return path.type === 'PathExpression' ? path : pathTo(String(path.original));
}

function enter(plainLength: number): MustacheStatement {
  const length = { type: 'NumberLiteral', value: plainLength, original: plainLength } as const;
  return { type: 'MustacheStatement', escaped: false, path: pathTo(ENTER_HELPER), params: [length] };
}

function pathTo(name: string): PathExpression {
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name };
}

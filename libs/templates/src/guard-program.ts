import {
  calledName,
  hasArguments,
  type BlockStatement,
  type Call,
  type Expression,
  type MustacheStatement,
  type PathExpression,
  type Program,
  type Statement,
} from './ast.js';
import { HELPER_NAMES } from './helper-names.js';

/** No template can contain these names, so only guards call the helpers. */
export const EMIT_HELPER = '#emit';
export const ENTER_HELPER = '#enter';

/**
 * Makes a template account for its work: output passes through one helper, and each pass through a block calls another
 * with the length of its plain text. The result is unchanged.
 */
export function guardProgram(program: Program): Program {
  return guard(program, new Set());
}

function guard(program: Program, outerNames: ReadonlySet<string>): Program {
  const names = new Set([...outerNames, ...(program.blockParams ?? [])]);
  let plainLength = 0;
  const body = program.body.map((statement): Statement => {
    if (statement.type === 'ContentStatement') plainLength += statement.value.length;
    if (statement.type === 'MustacheStatement') return guardMustache(statement, names);
    return statement.type === 'BlockStatement' ? guardBlock(statement, names) : statement;
  });
  return { ...program, body: [enter(plainLength), ...body] };
}

function guardBlock(block: BlockStatement, names: ReadonlySet<string>): BlockStatement {
  return {
    ...block,
    program: block.program && guard(block.program, names),
    inverse: block.inverse && guard(block.inverse, names),
  };
}

function guardMustache(mustache: MustacheStatement, names: ReadonlySet<string>): MustacheStatement {
  const { type, escaped, loc } = mustache;
  return {
    ...mustache,
    type,
    escaped,
    loc,
    path: pathTo(EMIT_HELPER),
    params: [valueOf(mustache, names)],
    hash: undefined,
  };
}

/** Helper result or data. A block parameter hides a helper of its name. */
function valueOf(call: Call, names: ReadonlySet<string>): Expression {
  const { path, params, hash, loc } = call;
  const name = calledName(call);
  const isHelper = name !== undefined && HELPER_NAMES.has(name) && !names.has(name);
  if (isHelper || hasArguments(call)) return { type: 'SubExpression', path, params, hash, loc };
  return path.type === 'PathExpression' ? path : pathTo(String(path.original));
}

function enter(plainLength: number): MustacheStatement {
  const length = { type: 'NumberLiteral', value: plainLength, original: plainLength } as const;
  return { type: 'MustacheStatement', escaped: false, path: pathTo(ENTER_HELPER), params: [length] };
}

function pathTo(name: string): PathExpression {
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name };
}

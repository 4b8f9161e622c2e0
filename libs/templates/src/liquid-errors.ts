import { LiquidError } from 'liquidjs';
import { TemplateError, type TemplatePosition } from './template-error.js';

const OF_FILES = new Set(['include', 'render', 'layout', 'block']);
const MAX_WORDS = 100;

/** For authors: what is wrong, where, and what to do. The library's own texts may show a value. */
export function describeLiquid(error: unknown, isRendering: boolean, timeoutMs = 0): TemplateError {
  if (error instanceof TemplateError) return error;
  if (error instanceof RangeError) return new TemplateError(isRendering ? TOO_MUCH : TOO_DEEP);
  if (!LiquidError.is(error)) return new TemplateError(isRendering ? NO_DATA : 'an expression cannot be read');
  const cause: unknown = error.originalError;
  if (cause instanceof TemplateError) return cause.line === undefined ? at(error, cause.message) : cause;
  if (cause instanceof RangeError) return at(error, isRendering ? TOO_MUCH : TOO_DEEP);
  const message = withoutPlace(error.message);
  return at(error, limitOf(message, timeoutMs) ?? (isRendering ? NO_DATA : syntaxOf(message)));
}

/** The library ends its texts with `, file:NAME, line:1, col:1`. */
function withoutPlace(message: string): string {
  const line = message.lastIndexOf(', line:');
  if (line < 0) return message;
  const file = message.lastIndexOf(', file:', line);
  return message.slice(0, file < 0 ? line : file);
}

const TOO_DEEP = 'tags are nested too deeply';
const TOO_MUCH =
  'the template needs too much memory; make ranges, lists and texts shorter, or compute them before you trigger, and send them in the payload';
const NO_DATA = 'the template cannot be rendered with this data';

function at(error: LiquidError, message: string): TemplateError {
  const [line, column] = error.token.getPosition();
  const position: Partial<TemplatePosition> = { ...(line && { line }), ...(column && { column }) };
  return new TemplateError(message, position);
}

function limitOf(message: string, timeoutMs: number): string | undefined {
  if (message.startsWith('memory alloc limit')) return TOO_MUCH;
  if (message.startsWith('template render limit')) return `rendering takes longer than ${timeoutMs} ms`;
  return undefined;
}

function syntaxOf(message: string): string {
  const tag = /^tag "([^"]{0,50})" not found/.exec(message)?.[1];
  if (tag !== undefined) return unknownTag(tag);
  const filter = /^undefined filter: (.{1,50})/.exec(message)?.[1];
  if (filter !== undefined) return `there is no filter named "${filter}"; the manual lists those of Liquid in Herald`;
  const open = /^tag \{%-?\s*(\w+)/.exec(message)?.[1];
  if (open !== undefined) {
    return `${short(message.slice('tag '.length, -' not closed'.length))} is not closed; close it with {% end${open} %}`;
  }
  if (message.startsWith('output ')) return 'an expression is not closed; close it with "}}"';
  if (message.startsWith('tag ')) return 'a tag is not closed; close it with "%}"';
  return `an expression or a tag cannot be read: ${short(message)}; in this workflow, templates are Liquid: {{ name | filter }}, {% if name %}`;
}

function unknownTag(name: string): string {
  if (OF_FILES.has(name)) return `{% ${name} %} is not available, because there are no other templates; use a layout`;
  const isMisplaced = name.startsWith('end') || ['else', 'elsif', 'when'].includes(name);
  if (isMisplaced) return `{% ${name} %} stands where no tag is open that it belongs to; remove it, or open the tag`;
  return `there is no tag named "${name}"`;
}

function short(text = ''): string {
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
}

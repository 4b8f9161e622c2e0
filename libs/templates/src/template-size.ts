import { expressionsIn } from './expressions.js';
import { TemplateError } from './template-error.js';

/** Characters of one expression. */
const MAX_EXPRESSION = 2_000;
/** Names, values and signs of one expression: `{{a.b}}` has three. */
const MAX_PARTS = 200;
/** Of all expressions of a template. Handlebars takes 3 ms for a thousand. */
const MAX_ALL_PARTS = 10_000;
/** Handlebars copies the rest of a template for each comment of the kind `{{!-- --}}`. */
const MAX_COPIED = 15_000_000;

/**
 * Keeps parsing below 50 ms. Templates that were stored before there were these limits are rendered nevertheless, in threads.
 * @returns the names, values and signs of all expressions
 * @throws {TemplateError}
 */
export function sizeOf(source: string): number {
  let parts = 0;
  let comments = 0;
  for (const one of expressionsIn(source)) {
    parts += one.parts;
    if (one.kind === 'long comment') comments += 1;
    if (one.kind === 'expression' && one.end - one.start > MAX_EXPRESSION) {
      throw new TemplateError(
        `an expression may have at most ${MAX_EXPRESSION} characters; compute long values before you trigger, and send them in the payload`,
        { line: lineOf(source, one.start) },
      );
    }
    if (one.parts > MAX_PARTS) {
      throw new TemplateError(
        `an expression may have at most ${MAX_PARTS} names, values and signs; shorten it, or use several`,
        { line: lineOf(source, one.start) },
      );
    }
    if (parts > MAX_ALL_PARTS) {
      throw new TemplateError(
        `the expressions of a template may have at most ${MAX_ALL_PARTS} names, values and signs`,
      );
    }
    if (comments * source.length > MAX_COPIED) {
      throw new TemplateError(
        `a template of ${source.length} characters may hold at most ${Math.floor(MAX_COPIED / source.length)} comments {{!-- --}}; use {{! }}`,
      );
    }
  }
  return parts;
}

function lineOf(source: string, place: number): number {
  return source.slice(0, place).split('\n').length;
}

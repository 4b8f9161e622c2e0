import type { Place } from './language.js';
import { TemplateError } from './template-error.js';
import { MAX_SOURCE_BYTES } from './syntax.js';
import { MAX_EXPRESSIONS } from './syntax-policy.js';

/** Characters of one expression or tag. */
const MAX_TAG = 2_000;
/** Of all tags of a template. */
const MAX_ALL_PARTS = 10_000;
const PARTS = /[\w-]+|[^\w\s-]/g;

/** Outputs and tags as the parser finds them, in linear time; one that is not closed reaches to the end. */
export function* liquidPlaces(source: string): Generator<Place> {
  let start = nextTag(source, 0);
  while (start >= 0) {
    const end = source[start + 1] === '{' ? endOfOutput(source, start + 2) : endBehind(source, '%}', start + 2);
    yield { start, end };
    start = nextTag(source, end);
  }
}

function nextTag(source: string, from: number): number {
  let at = source.indexOf('{', from);
  while (at >= 0 && source[at + 1] !== '{' && source[at + 1] !== '%') at = source.indexOf('{', at + 1);
  return at;
}

/** Texts may hold braces. */
function endOfOutput(source: string, from: number): number {
  let at = from;
  while (at < source.length) {
    const sign = source[at];
    if (sign === '}' && source[at + 1] === '}') return at + 2;
    if (sign === '"' || sign === "'") at = endOfText(source, at);
    at += 1;
  }
  return source.length;
}

function endOfText(source: string, from: number): number {
  const end = source.indexOf(source.charAt(from), from + 1);
  return end < 0 ? source.length : end;
}

function endBehind(source: string, close: string, from: number): number {
  const at = source.indexOf(close, from);
  return at < 0 ? source.length : at + close.length;
}

/** Keeps parsing below 50 ms. @returns names, values and signs of all tags @throws {TemplateError} */
export function liquidSize(source: string): number {
  let parts = 0;
  let tags = 0;
  for (const { start, end } of liquidPlaces(source)) {
    tags += 1;
    if (end - start > MAX_TAG) {
      throw new TemplateError(
        `an expression may have at most ${MAX_TAG} characters; compute long values before you trigger, and send them in the payload`,
        { line: source.slice(0, start).split('\n').length },
      );
    }
    parts += source.slice(start, end).match(PARTS)?.length ?? 0;
    if (tags > MAX_EXPRESSIONS) {
      throw new TemplateError(`a template may hold at most ${MAX_EXPRESSIONS} expressions and tags`);
    }
    if (parts > MAX_ALL_PARTS) {
      throw new TemplateError(
        `the expressions of a template may have at most ${MAX_ALL_PARTS} names, values and signs`,
      );
    }
  }
  return parts;
}

/** @throws {TemplateError} */
export function assertLength(source: string): void {
  if (Buffer.byteLength(source) > MAX_SOURCE_BYTES) {
    throw new TemplateError(`a template may hold at most ${MAX_SOURCE_BYTES / 1000} kB`);
  }
}

import { STEP_TYPES } from '#libs/plugins';
import { type Report } from '#libs/validation';
import { parseTemplate } from './syntax.js';

const MAX_DEPTH = 20;

/** A text with an expression has no value before the step runs, so it only has to be a valid template. */
export function checkStepInput(type: unknown, input: unknown, report: Report): void {
  const declaration = typeof type === 'string' ? STEP_TYPES.get(type) : undefined;
  if (declaration === undefined) return;
  if (input === undefined) return report('is required: what the step needs, as an object', 'input');
  const computed = new Set<string>();
  visitTexts(input, [], (text, path) => {
    if (!text.includes('{{')) return;
    computed.add(path.join('.'));
    const result = parseTemplate(text);
    if (!result.ok) report(`is not a valid template: ${result.message}`, 'input', ...path);
  });
  for (const { message, path } of declaration.input.safeParse(input).error?.issues ?? []) {
    const own = path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (!computed.has(own.join('.'))) report(message, 'input', ...own);
  }
}

type Path = readonly (string | number)[];

/** For plain data. */
export function visitTexts(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === 'string') return visit(value, path);
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return;
  const entries = Array.isArray(value)
    ? value.map((item: unknown, index) => [index, item] as const)
    : Object.entries(value);
  for (const [key, child] of entries) visitTexts(child, [...path, key], visit);
}

/** For plain data. */
export function replaceTexts(value: unknown, by: (text: string) => string): unknown {
  if (typeof value === 'string') return by(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => replaceTexts(item, by));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, replaceTexts(child, by)]));
}

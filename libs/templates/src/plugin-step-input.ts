import { STEP_TYPES } from '#libs/plugins';
import { type Report } from '#libs/validation';
import { parseTemplate } from './syntax.js';
import { visitTexts } from './visit-texts.js';

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

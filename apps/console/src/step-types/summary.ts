interface Line {
  readonly text: string;
  readonly when?: Readonly<Record<string, unknown>>;
}

/** The first sentence whose conditions hold, and whose placeholders all have a value. */
export function summaryOf(lines: readonly Line[], step: object): string | undefined {
  for (const { text, when = {} } of lines) {
    if (!Object.entries(when).every(([path, value]) => at(step, path) === value)) continue;
    const paths = [...text.matchAll(PLACE)].map(([, path = '']) => path);
    if (paths.every((path) => wordOf(at(step, path)) !== ''))
      return text.replaceAll(PLACE, (_, path: string) => wordOf(at(step, path)));
  }
  return undefined;
}

const PLACE = /\{([\w.]+)\}/g;

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value);
}

function wordOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return value.toLocaleString('en');
  return Array.isArray(value) ? value.map(wordOf).join(', ') : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const MAX_DEPTH = 20;

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

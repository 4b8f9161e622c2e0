/** The value at a dotted path such as `messages.0.id`; `undefined` when there is none. */
export function at(value: unknown, path: string): unknown {
  return path === '' ? value : path.split('.').reduce<unknown>(step, value);
}

function step(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** A non-empty string or a number at a path, as text. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = at(value, path);
  if (typeof found === 'number' || typeof found === 'bigint') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

import { readPath } from '#libs/common';

/** A dotted path such as `messages.0.id`; empty: the whole value. */
export function at(value: unknown, path: string): unknown {
  return path === '' ? value : readPath(value, path);
}

/** A non-empty string or a number as text. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = at(value, path);
  if (typeof found === 'number' || typeof found === 'bigint') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

import qs from 'qs';

/** Supports lists and nesting, such as `a[]=1&b[c]=2`. Keys that reach prototypes are rejected later. */
export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : qs.parse(text, { allowPrototypes: true });
}

import qs from 'qs';

/** Parses a query with lists and nested objects, such as `a[]=1&b[c]=2`. Keys that reach prototypes are refused later. */
export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : qs.parse(text, { allowPrototypes: true });
}

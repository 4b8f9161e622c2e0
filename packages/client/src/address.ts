/** Fills a path and adds the query; lists repeat the name. @throws {TypeError} for a parameter of the path that is missing, or that URLs cannot hold */
export function addressOf(baseUrl: string, path: string, values: object = {}, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = (values as Record<string, unknown>)[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${path} needs path.${name}`);
    const text = textOf(value);
    // URLs resolve these as folders, even when they are encoded, so the request would go to another route.
    if (text === '.' || text === '..') throw new TypeError(`${path} cannot be called with '${text}' as path.${name}`);
    return encodeURIComponent(text);
  });
  const pairs = Object.entries(query as Record<string, unknown>).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, textOf(one)]),
  );
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  return `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}${filled}${search}`;
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

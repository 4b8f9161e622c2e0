/** Fills a path and adds the query; lists repeat the name. @throws {TypeError} for a missing parameter of the path */
export function addressOf(baseUrl: string, path: string, values: object = {}, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = (values as Record<string, unknown>)[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${path} needs path.${name}`);
    return encodeURIComponent(textOf(value));
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

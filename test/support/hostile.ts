import { type Document, fill, type Operation, resolve, type Schema } from './routes.js';

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  /** Raw, since some of it is no JSON. */
  readonly body?: string;
  readonly contentType?: string;
}

const OBJECT_ID = '0123456789abcdef01234567';

/** In the place of any value. */
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  1.5,
  '',
  ' ',
  'x'.repeat(20_000),
  '\u0000',
  '\ud800',
  '{{#each}}{{',
  "'; DROP TABLE subscribers; --",
  '<script>alert(1)</script>',
  [],
  [null],
  [[[[]]]],
  {},
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { length: 1e9 },
  { toString: 1, then: 1, toJSON: 'x' },
  { 'a.b': { $ne: null } },
  { '\u0000': 1 },
  { _bsontype: 'ObjectId', id: 1 },
];

/** In the place of a whole body. */
const BODIES = [
  '',
  'null',
  '[]',
  '"text"',
  '1e400',
  '{',
  '{"a":}',
  '{"__proto__":{"deleted":true}}',
  '{"constructor":{"prototype":{"deleted":true}}}',
  '{"$where":"1"}',
  `{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`,
  `{${Array.from({ length: 2_000 }, (_, at) => `"k${at}":1`).join()}}`,
  '\ufeff{}',
];

const PATH_VALUES = [
  '%00',
  '%2e%2e%2f',
  '%ff',
  '%24gt',
  'a'.repeat(2_000),
  '[object Object]',
  '%F0%9F%92%A9',
  '__proto__',
];
const QUERY_VALUES = ['', '%00', '-1', '1e9', '%5B%24gt%5D=1', 'NaN', 'x'.repeat(2_000), '%ff', '{}'];

/**
 * Some of the requests that no honest client sends, spread evenly over all of them.
 * @param most how many for one operation
 */
export function someHostileRequests(
  document: Document,
  route: { method: string; path: string; operation: Operation },
  most: number,
): HostileRequest[] {
  const all = hostileRequests(document, route);
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (request) => request !== undefined,
  );
}

/** Requests that no honest client sends, for one operation: in each body field, each parameter, and as a whole. */
function hostileRequests(
  document: Document,
  route: { method: string; path: string; operation: Operation },
): HostileRequest[] {
  const { method, path, operation } = route;
  const target = fill(path);
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return [
    ...bodies(document, operation).map((body) => ({ method, path: target, ...body })),
    ...inPath.flatMap(({ name }) =>
      PATH_VALUES.map((value) => ({ method, path: fill(path.replace(`{${name}}`, value), OBJECT_ID) })),
    ),
    ...inQuery.flatMap(({ name }) =>
      [
        ...QUERY_VALUES.map((value) => `${name}=${value}`),
        `${name}[$gt]=1`,
        `${name}[]=1&${name}[]=2`,
        `${name}[a][b]=1`,
      ].map((query) => ({ method, path: `${target}?${query}` })),
    ),
    { method, path: `${target}?__proto__[x]=1&constructor[prototype][y]=1&a[b][c][d][e][f][g]=1` },
  ];
}

function bodies(document: Document, { requestBody }: Operation): Pick<HostileRequest, 'body' | 'contentType'>[] {
  const schema = resolve(document, requestBody?.content['application/json']?.schema);
  if (requestBody === undefined) return [{ body: '{"unexpected":[{"$gt":1}]}' }];
  const valid = exampleOf(document, schema) as Record<string, unknown>;
  const fields = fieldPaths(document, schema);
  return [
    ...BODIES.map((body) => ({ body })),
    { body: 'a=1&b[$gt]=2', contentType: 'application/x-www-form-urlencoded' },
    { body: '<a/>', contentType: 'text/xml' },
    { body: JSON.stringify(valid), contentType: 'application/json; charset=utf-7' },
    ...fields.flatMap((field) => VALUES.map((value) => ({ body: JSON.stringify(replaced(valid, field, value)) }))),
    ...withoutOptional(valid, schema).map((body) => ({ body: JSON.stringify(body) })),
  ];
}

/** Bodies of the required fields alone, and with each of the others as null: what one field is may depend on whether others are there. */
function withoutOptional(valid: Record<string, unknown>, { properties = {}, required = [] }: Schema): unknown[] {
  const least = Object.fromEntries(required.map((name) => [name, valid[name]]));
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return [least, ...optional.map((name) => ({ ...least, [name]: null }))];
}

/** Paths of the fields of a body, three levels deep; of lists the first entry. */
function fieldPaths(document: Document, schema: Schema, depth = 0): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const resolved = resolve(document, child);
    const isList = resolved.type === 'array';
    const inner = isList ? resolve(document, resolved.items) : resolved;
    const below = depth < 2 ? fieldPaths(document, inner, depth + 1) : [];
    return [[name], ...below.map((path) => (isList ? [name, '0', ...path] : [name, ...path]))];
  });
}

function exampleOf(document: Document, schema: Schema, depth = 0): unknown {
  const resolved = resolve(document, schema);
  if (resolved.examples !== undefined) return resolved.examples[0];
  if (resolved.enum !== undefined) return resolved.enum[0];
  if (resolved.type === 'array') return depth < 3 ? [exampleOf(document, resolved.items ?? {}, depth + 1)] : [];
  if (resolved.properties !== undefined && depth < 3) {
    const entries = Object.entries(resolved.properties);
    return Object.fromEntries(entries.map(([name, child]) => [name, exampleOf(document, child, depth + 1)]));
  }
  const byType: Record<string, unknown> = { string: 'text', number: 1, integer: 1, boolean: true, object: {} };
  return byType[[resolved.type ?? 'object'].flat()[0] ?? 'object'];
}

/** A copy with another value at a path; ways that do not exist are made. */
function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (key === '0' && Array.isArray(value)) return [replaced((value as unknown[])[0], rest, by), ...value.slice(1)];
  const record = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...record, [key]: replaced(record[key], rest, by) };
}

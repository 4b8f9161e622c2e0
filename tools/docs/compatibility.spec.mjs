import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';

const ROW = /^\| (GET|POST|PUT|PATCH|DELETE) +\| `(\/v1\/[^`]+)` +\| (\d{3}) +\| (\S.*?) +\|$/gm;

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const rows = [...read('docs/compatibility.md').matchAll(ROW)].map(
  ([, method, path, status]) => `${method} ${path} ${status}`,
);
// Those of /v2 stand in the table of docs/manual/clients.md.
const ofV1 = Object.entries(JSON.parse(read('openapi.json')).paths).filter(([path]) => path.startsWith('/v1/'));
const operations = ofV1.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { responses }]) => {
    const status = Object.keys(responses).find((code) => code < '300');
    return `${method.toUpperCase()} ${path} ${status}`;
  }),
);

describe('docs/compatibility.md', () => {
  it('should have a row for every route of /v1, with its status', () => {
    const known = new Set(rows);
    expect(operations.filter((operation) => !known.has(operation))).toEqual([]);
  });

  it('should have no row for a route that there is not, and none twice', () => {
    const known = new Set(operations);
    expect(rows.filter((row, index) => !known.has(row) || rows.indexOf(row) !== index)).toEqual([]);
  });
});

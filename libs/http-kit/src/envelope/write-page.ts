import type { Turns } from '../body/turns.js';
import type { Page } from '../page.js';

/** The JSON of a page, row by row. */
export function* writePage<T>({ data, ...counters }: Page<T>): Turns<string> {
  const rows: string[] = [];
  for (const row of data) {
    rows.push(JSON.stringify(row));
    yield;
  }
  const rest = JSON.stringify(counters);
  return `{"data":[${rows.join(',')}],${rest.slice(1)}`;
}

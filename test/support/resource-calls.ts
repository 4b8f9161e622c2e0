import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from './answers.js';

/** What tests of a resource do again and again. */
export interface ResourceCalls {
  /** Path of a record. */
  readonly one: (record: unknown) => string;
  /** Makes a record that must be taken. */
  readonly make: (body: object, by?: TestSession) => Promise<Json>;
  /** Changes a record, which must succeed. */
  readonly put: (record: unknown, body: object) => Promise<Json>;
  readonly list: (by?: TestSession) => Promise<Json[]>;
}

/**
 * @param session whoever calls where nobody is named
 * @param idOf what stands in the path of a record; its `_id` if not given
 */
export function callsOf(
  path: string,
  session: () => TestSession,
  idOf: (record: unknown) => unknown = (record) => (record as Json)['_id'],
): ResourceCalls {
  const one = (record: unknown): string => `${path}/${encodeURIComponent(String(idOf(record)))}`;
  return {
    one,
    make: (body, by = session()) => dataOf(by.post(path, body), 201),
    put: (record, body) => dataOf(session().put(one(record), body), 200),
    list: (by = session()) => dataOf<Json[]>(by.get(path), 200),
  };
}

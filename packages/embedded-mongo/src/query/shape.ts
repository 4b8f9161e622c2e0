import type { Doc } from '../bson/codec.js';

/** For logs: the filter's shape without its values. */
export function shapeOf(filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.slice(0, 3).map(shapeOf);
  if (typeof filter !== 'object' || filter === null || filter instanceof Date || '_bsontype' in filter) return '?';
  return Object.fromEntries(
    Object.entries(filter as Doc).map(([key, value]) => [key, key === '$in' || key === '$nin' ? '?' : shapeOf(value)]),
  );
}

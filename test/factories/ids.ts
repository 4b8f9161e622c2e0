let count = 0;

/** A text that no other test of this file has: files share a store, so what it names belongs to an organization of the test. */
export function unique(prefix: string): string {
  return `${prefix}-${++count}`;
}

/** An id that no record has. */
export const UNKNOWN_ID = '507f1f77bcf86cd799439011';

let count = 0;

/** A text that no other test of this file has: files share a store, so what it names belongs to an organization of the test. */
export function unique(prefix: string): string {
  return `${prefix}-${++count}`;
}

/** Of nobody yet. People are not walled off by organizations, and a worker that is started anew counts from 1 on the same store. */
export function newEmail(): string {
  return `${unique(`person-${process.pid}`)}@example.com`;
}

/** An id that no record has. */
export const UNKNOWN_ID = '507f1f77bcf86cd799439011';

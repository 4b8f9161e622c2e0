import { randomUUID } from 'node:crypto';

let count = 0;
const FILE = randomUUID();

/** A text that no other test of this file has: files share a store, so what it names belongs to an organization of the test. */
export function unique(prefix: string): string {
  return `${prefix}-${++count}`;
}

/** Of nobody yet: people are not walled off by organizations, and each file counts from 1, also where files share a store. */
export function newEmail(): string {
  return `${unique(`person-${FILE}`)}@example.com`;
}

/** An id that no record has. */
export const UNKNOWN_ID = '507f1f77bcf86cd799439011';

import { randomUUID } from 'node:crypto';

const TIME_DIGITS = 12;

/**
 * Version 7: milliseconds, then 74 random bits. New index entries lie side by side instead of each touching a page of
 * its own.
 */
export function timeOrderedUuid(nowMs = Date.now()): string {
  const time = nowMs.toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

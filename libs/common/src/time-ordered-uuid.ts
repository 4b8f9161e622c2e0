import { randomUUID } from 'node:crypto';

const TIME_DIGITS = 12;

/**
 * A new UUID of version 7: it begins with the time in milliseconds, and 74 bits are random. New index entries lie side by
 * side, where random ones would each touch a page of their own.
 */
export function timeOrderedUuid(nowMs = Date.now()): string {
  const time = nowMs.toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

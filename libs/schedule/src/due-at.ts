import { readPath } from '#libs/common';
import { DEFAULT_ZONE } from './calendar.js';
import { addUnits, momentOf } from './local-time.js';
import { nextTimed } from './next-timed.js';
import type { DelayMetadata, DigestMetadata, Span } from './metadata.schema.js';

export type InvalidDelayReason = 'missing' | 'unparsable' | 'past';

/** The payload has no valid date for a scheduled delay. */
export class InvalidDelayError extends Error {
  constructor(
    readonly reason: InvalidDelayReason,
    message: string,
  ) {
    super(message);
    this.name = 'InvalidDelayError';
  }
}

/**
 * End of a digest window that opens now. `override` (`overrides.delay` of the trigger) replaces amount and unit of
 * regular digests only.
 */
export function digestDueAt(
  metadata: DigestMetadata,
  now: Date,
  zone: string = DEFAULT_ZONE,
  override?: Span | null,
): Date {
  if (metadata.type === 'timed') return nextTimed(metadata, now, zone);
  const { amount, unit } = metadata.type === 'regular' ? (override ?? metadata) : metadata;
  return addUnits(now, amount, unit, zone);
}

/**
 * End of a delay that starts now. `override` replaces amount and unit of regular delays. A scheduled date without an
 * offset is in the given zone.
 * @throws {InvalidDelayError} if the payload's date is missing, invalid or past
 */
export function delayDueAt(
  metadata: DelayMetadata,
  payload: unknown,
  now: Date,
  zone: string = DEFAULT_ZONE,
  override?: Span | null,
): Date {
  if (metadata.type === 'scheduled') return scheduledDate(metadata.delayPath, payload, now, zone);
  const { amount, unit } = override ?? metadata;
  return addUnits(now, amount, unit, zone);
}

/** When the time limit of a wait is over that begins now. */
export function waitLimit({ amount, unit }: Span, now: Date, zone: string = DEFAULT_ZONE): Date {
  return addUnits(now, amount, unit, zone);
}

/** An event since then makes this one wait. Undefined for digests without a look-back window. */
export function backoffWindowStart(metadata: DigestMetadata, now: Date, zone: string = DEFAULT_ZONE): Date | undefined {
  const isBackoff = metadata.type === 'backoff' || (metadata.type === 'regular' && metadata.backoff === true);
  const { backoffAmount, backoffUnit } = metadata;
  if (!isBackoff || backoffAmount === undefined || backoffUnit === undefined) return undefined;
  return addUnits(now, -backoffAmount, backoffUnit, zone);
}

function scheduledDate(delayPath: string, payload: unknown, now: Date, zone: string): Date {
  const value = readPath(payload, delayPath);
  if (value === undefined || value === null || value === '') {
    throw new InvalidDelayError('missing', `The payload has no date at "${delayPath}". Send one as an ISO 8601 text.`);
  }
  const date = momentOf(typeof value === 'string' ? value : '', zone);
  if (Number.isNaN(date.getTime())) {
    const message = `The payload's "${delayPath}" is not a date. Send an ISO 8601 text like 2030-01-31T09:00:00Z.`;
    throw new InvalidDelayError('unparsable', message);
  }
  if (date <= now) {
    throw new InvalidDelayError('past', `The payload's "${delayPath}" is not in the future. Send a later date.`);
  }
  return date;
}

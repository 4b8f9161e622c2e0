import { addUnits, DEFAULT_ZONE, digestValue, momentOf } from '#libs/schedule';
import { type ThrottleMetadata, windowLength } from './throttle.metadata.js';

interface EventSources {
  readonly payload: unknown;
  readonly tenant: unknown;
}

/** The event does not say what its throttle needs. */
export class InvalidWindowError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidWindowError';
  }
}

/** What separates the windows of a subscriber; null without a key. @throws {InvalidWindowError} if the event lacks the value */
export function keyOfThrottle({ throttleKey }: ThrottleMetadata, sources: EventSources): string | null {
  if (!throttleKey) return null;
  const value = digestValue(throttleKey, sources);
  if (value === undefined || value === null) {
    throw new InvalidWindowError(`The payload has no value at "${throttleKey}", which is the throttleKey of the step.`);
  }
  return JSON.stringify(value);
}

/** Where a window ends that opens now. @throws {InvalidWindowError} */
export function throttleWindowEnd(
  metadata: ThrottleMetadata,
  sources: EventSources,
  now: Date,
  zone: string = DEFAULT_ZONE,
): Date {
  if (metadata.type !== 'dynamic') return addUnits(now, metadata.amount, metadata.unit, zone);
  const { dynamicKey } = metadata;
  const value = digestValue(dynamicKey, sources);
  if (value === undefined || value === null) {
    throw new InvalidWindowError(`The payload has no value at "${dynamicKey}", which is the dynamicKey of the step.`);
  }
  if (typeof value === 'string') return dateIn(value, dynamicKey, now, zone);
  const length = windowLength.safeParse(value);
  if (!length.success) {
    throw new InvalidWindowError(
      `The payload's "${dynamicKey}" is neither an ISO 8601 date nor an object with amount and unit.`,
    );
  }
  return addUnits(now, length.data.amount, length.data.unit, zone);
}

function dateIn(value: string, path: string, now: Date, zone: string): Date {
  const date = momentOf(value, zone);
  if (Number.isNaN(date.getTime())) throw new InvalidWindowError(`The payload's "${path}" is not an ISO 8601 date.`);
  if (date <= now) throw new InvalidWindowError(`The payload's "${path}" is not in the future.`);
  return date;
}

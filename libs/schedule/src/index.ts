export { SUBSCRIBER_ZONE, zoneOf } from './calendar.js';
export { type Day, dayOf } from './day.js';
export { digestValue } from './digest-value.js';
export {
  type DelayMetadata,
  delayMetadata,
  type DigestMetadata,
  digestMetadata,
  METADATA_KEYS,
  type Span,
  span,
  type StepMetadata,
  stepMetadata,
  TIMED_KEYS,
} from './metadata.schema.js';
export { backoffWindowStart, delayDueAt, digestDueAt, InvalidDelayError, type InvalidDelayReason } from './due-at.js';
export { type ThrottleMetadata, throttleMetadata } from './throttle.schema.js';
export { InvalidWindowError, keyOfThrottle, throttleWindowEnd } from './throttle-window.js';
export { isMessageEvent, type MessageEventName, signalName, type WaitMetadata, waitMetadata } from './wait.schema.js';
export { waitLimit } from './due-at.js';
export { retryDelayMs, type RetryOptions } from './retry-delay.js';
export {
  EARLIEST_ZONE,
  hasTimeOfDay,
  localTimeOf,
  nextOccurrence,
  nextOccurrences,
  type Occurrences,
} from './recurrence.js';
export { hasZone, isMoment, momentOf } from './local-time.js';
export { moment, type Recurrence, recurrence, RECURRENCE_KEYS } from './recurrence.schema.js';
export { zoneName } from './calendar.schema.js';
export { isOpen, nextOpening, type OpeningHours } from './opening-hours.js';
export {
  minuteOf,
  OUTSIDE_SCHEDULE,
  type OutsideSchedule,
  type SendWindow,
  sendWindow,
  type WeeklySchedule,
  weeklySchedule,
} from './opening-hours.schema.js';

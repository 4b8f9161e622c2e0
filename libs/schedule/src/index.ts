export { SUBSCRIBER_ZONE, zoneOf } from './calendar.js';
export { type Day, dayOf } from './day.js';
export { digestValue } from './digest-value.js';
export {
  amount,
  checkSpan,
  type DelayMetadata,
  type DigestMetadata,
  keyPath,
  MAX_PATH_LENGTH,
  NOT_A_CHANNEL,
  payloadPath,
  sharedMetadata,
  type Span,
  span,
  spanOf,
  type StepMetadata,
  TIME_UNITS,
  TIMED_KEYS,
  TIMED_RULES,
  TIMED_UNITS,
  type TimedUnit,
  timedRule,
  type TimeUnit,
  unit,
  wholeUnit,
} from './metadata.schema.js';
export { backoffWindowStart, delayDueAt, digestDueAt, InvalidDelayError, type InvalidDelayReason } from './due-at.js';
export { waitLimit } from './due-at.js';
export { addUnits } from './local-time.js';
export { DEFAULT_ZONE } from './calendar.js';
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
export { timezone, zoneName } from './calendar.schema.js';
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

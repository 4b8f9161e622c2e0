export { zoneOf } from './calendar.js';
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
export { retryDelayMs, type RetryOptions } from './retry-delay.js';
export { isWithinSchedule, minuteOfDay, type WeeklySchedule, weeklySchedule } from './weekly-schedule.js';

export {
  DELAY_TYPES,
  DIGEST_TYPES,
  MONTHLY_TYPES,
  ORDINALS,
  ORDINAL_VALUES,
  TIMED_UNITS,
  TIME_UNITS,
  WEEK_DAYS,
  type BackoffDigestMetadata,
  type DelayMetadata,
  type DigestMetadata,
  type MonthlyType,
  type Ordinal,
  type OrdinalValue,
  type RegularDelayMetadata,
  type RegularDigestMetadata,
  type ScheduledDelayMetadata,
  type Span,
  type TimedDigestMetadata,
  type TimedRule,
  type TimedUnit,
  type TimeUnit,
  type WeekDay,
} from './schedule.types.js';
export { validateSpan, validateStepMetadata } from './validate-metadata.js';
export { addUnits } from './calendar.js';
export { backoffWindowStart, delayDueAt, digestDueAt, InvalidDelayError, type InvalidDelayReason } from './due-at.js';
export { nextTimed } from './next-timed.js';
export { retryDelayMs, type RetryOptions } from './retry-delay.js';

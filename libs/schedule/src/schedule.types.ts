export const TIME_UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** A timed digest fires at a time of day or after whole minutes; seconds would be a regular digest. */
export const TIMED_UNITS = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimedUnit = (typeof TIMED_UNITS)[number];

export const DIGEST_TYPES = ['regular', 'backoff', 'timed'] as const;

export const DELAY_TYPES = ['regular', 'scheduled'] as const;

/** In ISO order, so that the index plus one is the ISO number of the day. */
export const WEEK_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

export const MONTHLY_TYPES = ['each', 'on'] as const;
export type MonthlyType = (typeof MONTHLY_TYPES)[number];

export const ORDINALS = ['1', '2', '3', '4', '5', 'last'] as const;
export type Ordinal = (typeof ORDINALS)[number];

export const ORDINAL_VALUES = ['day', 'weekday', 'weekend', ...WEEK_DAYS] as const;
export type OrdinalValue = (typeof ORDINAL_VALUES)[number];

/** A span that replaces amount and unit of regular digests and delays at trigger time. */
export interface Span {
  amount: number;
  unit: TimeUnit;
}

interface DigestBase extends Span {
  /** Dotted payload path whose value splits digests. */
  digestKey?: string;
  /** Accepted for compatibility; nothing depends on it. */
  updateMode?: boolean;
  /** `true` makes a regular digest behave like type `backoff`. */
  backoff?: boolean;
  backoffAmount?: number;
  backoffUnit?: TimeUnit;
}

export interface RegularDigestMetadata extends DigestBase {
  type: 'regular';
}

export interface BackoffDigestMetadata extends DigestBase {
  type: 'backoff';
}

export interface TimedRule {
  /** Time of day, `HH:mm` or `HH:mm:ss`, in the zone that the caller names. */
  atTime?: string;
  weekDays?: WeekDay[];
  /** Days 1 to 31; a day that a month does not have falls on the last day of that month. */
  monthDays?: number[];
  /** `each`: on `monthDays` (the default). `on`: on the `ordinal` `ordinalValue`. */
  monthlyType?: MonthlyType;
  ordinal?: Ordinal;
  ordinalValue?: OrdinalValue;
}

export interface TimedDigestMetadata extends DigestBase {
  type: 'timed';
  unit: TimedUnit;
  timed?: TimedRule;
}

export type DigestMetadata = RegularDigestMetadata | BackoffDigestMetadata | TimedDigestMetadata;

export interface RegularDelayMetadata extends Span {
  type: 'regular';
}

export interface ScheduledDelayMetadata {
  type: 'scheduled';
  /** Dotted payload path of an ISO 8601 date. */
  delayPath: string;
}

export type DelayMetadata = RegularDelayMetadata | ScheduledDelayMetadata;

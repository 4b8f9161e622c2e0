import type { Caller } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { EARLIEST_ZONE, hasTimeOfDay, nextOccurrence, type Occurrences, SUBSCRIBER_ZONE, zoneOf } from '#libs/schedule';
import type { Schedule } from './schedule.schema.js';

export type Timing = Pick<Schedule, 'startAt' | 'rule' | 'timezone' | 'endAt'>;

/** @throws {ValidationFailed} where hours are to be counted in the zone of each subscriber, or the end comes before the start */
export function occurrencesOf({ startAt, rule, timezone, endAt }: Timing): Occurrences {
  const isOfSubscribers = timezone === SUBSCRIBER_ZONE;
  const faults = [
    ...(isOfSubscribers && rule !== undefined && !hasTimeOfDay(rule)
      ? ["timezone must not be 'subscriber' with a rule for every hour: name a time zone"]
      : []),
    ...(endAt !== undefined && endAt < startAt ? ['endAt must not be before startAt'] : []),
  ];
  if (faults.length > 0) throw new ValidationFailed(faults);
  return { zone: countingZone(timezone), startAt, ...(rule && { rule }), ...(endAt && { endAt }) };
}

/** The zone in which a schedule is counted. */
export function countingZone(timezone: string | undefined): string {
  return timezone === SUBSCRIBER_ZONE ? EARLIEST_ZONE : zoneOf({ ...(timezone !== undefined && { timezone }) });
}

export function nextAfter(timing: Timing, after: Date): Date | undefined {
  return nextOccurrence(occurrencesOf(timing), after);
}

/** The same for every worker that triggers this occurrence, so that the event is accepted once. */
export function transactionIdOf({ _id }: Pick<Schedule, '_id'>, occurrence: Date): string {
  return `schedule:${_id.toHexString()}:${occurrence.toISOString()}`;
}

export function callerOf({ _organizationId, _environmentId, by }: Schedule): Caller {
  return {
    organizationId: _organizationId.toHexString(),
    environmentId: _environmentId.toHexString(),
    apiKeyId: by.apiKeyId,
    userId: by.userId,
    scopes: by.scopes,
  };
}

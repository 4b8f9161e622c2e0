import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { apiOf, RecordResponse, shower, shown } from '#libs/http-kit';
import { localTimeOf, type Recurrence, recurrence, SUBSCRIBER_ZONE } from '#libs/schedule';
import {
  type LastOccurrence,
  MISSED_RULES,
  type MissedRule,
  type Schedule,
  SCHEDULE_STATUSES,
  type ScheduleStatus,
} from './schedule.schema.js';

/** An occurrence of a schedule. */
export class OccurrenceResponse {
  /** When it is triggered. With the time zone `subscriber`, when the first place on earth reaches the local time. */
  at: Date;
  /**
   * With the time zone `subscriber`: the time at which each subscriber gets it.
   * @example 2026-11-30T09:00:00
   */
  localTime?: string;
}

export function showOccurrence(at: Date, timezone: string | undefined): OccurrenceResponse {
  return shown(OccurrenceResponse, { at, ...(timezone === SUBSCRIBER_ZONE && { localTime: localTimeOf(at) }) });
}

/** The occurrence that was triggered or skipped last. */
export class LastOccurrenceResponse {
  /** When it was due. */
  at: Date;
  /**
   * The status of the trigger, or `skipped` because it was missed.
   * @example processed
   */
  status: string;
  /** The event, for GET /v1/events/trigger/{transactionId}. */
  transactionId: string;
  /** Why nothing was triggered. */
  error?: string;
}

function showLast({ at, status, transactionId, error }: LastOccurrence): LastOccurrenceResponse {
  return shown(LastOccurrenceResponse, { at, status, transactionId, error });
}

/** A workflow that is triggered at times. */
export class ScheduleResponse extends RecordResponse {
  /** Name of the schedule. @example "Weekly report" */
  name?: string;
  /** Trigger identifier of the workflow. @example order-shipped */
  workflow: string;
  /** Ids of subscribers. @example ["ada"] */
  subscribers: string[];
  /** Keys of topics. */
  topics: string[];
  /** Ids of segments. */
  segments: string[];
  /** Values that the templates use. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  payload: Record<string, unknown>;
  /** Identifier of a tenant. */
  tenant?: string;
  /** Id of the subscriber who causes the events. */
  actor?: string;
  /** When it occurs; absent if once. */
  @ApiPropertyOptional(apiOf(recurrence))
  rule?: Recurrence;
  /** Time zone of the times of day; absent for UTC. @example Europe/Berlin */
  timezone?: string;
  /** Nothing occurs before. */
  startAt: Date;
  /** Nothing occurs after. */
  endAt?: Date;
  /** What becomes of missed occurrences. */
  @ApiProperty({ enum: MISSED_RULES })
  missed: MissedRule;
  /** `active`, `paused`, or `ended` if nothing occurs any more. */
  @ApiProperty({ enum: SCHEDULE_STATUSES })
  status: ScheduleStatus;
  /** The next occurrence; absent unless active. */
  next?: OccurrenceResponse;
  /** The last occurrence; absent before the first one. */
  last?: LastOccurrenceResponse;
}

export const showSchedule = shower(ScheduleResponse, (row: Schedule) => {
  const { name, tenant, actor, rule, timezone, endAt, nextAt, last } = row;
  return {
    name,
    workflow: row.workflow,
    subscribers: row.subscribers,
    topics: row.topics,
    segments: row.segments ?? [],
    payload: row.payload,
    tenant,
    actor,
    rule,
    timezone,
    startAt: row.startAt,
    endAt,
    missed: row.missed,
    status: row.status,
    next: nextAt && showOccurrence(nextAt, timezone),
    last: last && showLast(last),
  };
});

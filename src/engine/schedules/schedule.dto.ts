import { ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional } from 'class-validator';
import { apiOf, AsSent, IsFreeForm, IsName, IsValidBy, NAME_LENGTH, OptionalString, PageQuery } from '#libs/http-kit';
import { moment, type Recurrence, recurrence, zoneName } from '#libs/schedule';
import { MISSED_RULES, type MissedRule, SCHEDULE_STATUSES, type ScheduleStatus } from './schedule.schema.js';

const MAX_RECIPIENTS = 100;
/** As of a trigger. */
const MAX_SEGMENTS = 20;

export class CreateScheduleDto {
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  @IsName()
  workflow: string;

  /**
   * Name of the schedule.
   * @example "Weekly report"
   */
  @OptionalString()
  name?: string | null;

  /** Ids of subscribers; together with `topics` and `segments`, at least one. For more, use a topic. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_RECIPIENTS)
  @IsValidBy('areIds', faultsOfIds)
  @ApiPropertyOptional({ type: [String], nullable: true, maxItems: MAX_RECIPIENTS, example: ['ada'] })
  subscribers?: string[] | null;

  /** Keys of topics, whose members at the time of each occurrence are the recipients. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_RECIPIENTS)
  @IsValidBy('areIds', faultsOfIds)
  @ApiPropertyOptional({ type: [String], nullable: true, maxItems: MAX_RECIPIENTS, example: [] })
  topics?: string[] | null;

  /** Ids of segments, to which the recipients belong at the time of each occurrence. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_SEGMENTS)
  @IsValidBy('areIds', faultsOfIds)
  @ApiPropertyOptional({ type: [String], nullable: true, maxItems: MAX_SEGMENTS, example: [] })
  segments?: string[] | null;

  /** Values that the templates use. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true, example: { week: 5 } })
  payload?: Record<string, unknown> | null;

  /** Identifier of a tenant. */
  @OptionalString()
  tenant?: string | null;

  /** Id of the subscriber who causes the events. */
  @OptionalString()
  actor?: string | null;

  /** When it occurs. Absent: once, at `startAt`. */
  @IsOptional()
  @AsSent()
  @IsValidBy('isRecurrence', recurrence)
  @ApiPropertyOptional(apiOf(recurrence))
  rule?: Recurrence | null;

  /**
   * Time zone of the times of day, such as `Europe/Berlin`; `subscriber` for that of each subscriber. Default: UTC.
   * @example Europe/Berlin
   */
  @IsOptional()
  @IsValidBy('isZone', zoneName)
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: NAME_LENGTH })
  timezone?: string | null;

  /**
   * Nothing occurs before, and intervals are counted from here. Without `Z` or an offset, it is a time in `timezone`. Required
   * without `rule`. Default: now.
   */
  @IsOptional()
  @IsValidBy('isMoment', moment)
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, example: '2099-01-31T09:00:00Z' })
  startAt?: string | null;

  /** Nothing occurs after. */
  @IsOptional()
  @IsValidBy('isMoment', moment)
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, example: '2099-12-31T09:00:00Z' })
  endAt?: string | null;

  /**
   * What becomes of occurrences that are late by more than ten minutes because no worker was there: `run_once` triggers the first
   * of them, `skip` none.
   */
  @IsOptional()
  @IsIn(MISSED_RULES)
  @ApiPropertyOptional({ enum: MISSED_RULES, nullable: true, default: 'run_once' })
  missed?: MissedRule | null;
}

/** What is absent stays; null removes what can be absent. An occurrence that is due already is triggered nevertheless. */
export class UpdateScheduleDto extends PartialType(CreateScheduleDto) {}

export class PreviewScheduleDto extends PickType(CreateScheduleDto, [
  'rule',
  'timezone',
  'startAt',
  'endAt',
] as const) {}

export class ListSchedulesQuery extends PageQuery {
  /** Only schedules that name this subscriber. */
  @OptionalString()
  subscriberId?: string;

  /** Only schedules that name the topic with this key. */
  @OptionalString()
  topic?: string;

  /** Only schedules of the workflow with this trigger identifier. */
  @OptionalString()
  workflow?: string;

  /** Only schedules of this status. */
  @IsOptional()
  @IsIn(SCHEDULE_STATUSES)
  @ApiPropertyOptional({ enum: SCHEDULE_STATUSES })
  status?: ScheduleStatus;
}

function faultsOfIds(ids: unknown, property: string): string[] {
  if (!Array.isArray(ids)) return [];
  return (ids as unknown[]).flatMap((id, place) =>
    typeof id === 'string' && id.trim() !== '' && id.length <= NAME_LENGTH
      ? []
      : [`${property}.${place} must be a text of 1 to ${NAME_LENGTH} characters`],
  );
}

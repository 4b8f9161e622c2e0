import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsTimeZone,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsName, NAME_LENGTH } from '#libs/http-kit';
import { ALERT_KINDS, type AlertKind } from './alerts.schema.js';

const MAX_SUBSCRIBERS = 100;
const MAX_LATE_MINUTES = 1_440;

/** What is absent stays; null brings back the default. */
export class UpdateAlertsDto {
  /** Whether anybody is told. Switching it on makes the workflows that are missing. */
  @IsOptional()
  @IsBoolean()
  isOn?: boolean | null;

  /** Ids of subscribers who become members of the topic. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_SUBSCRIBERS)
  @IsString({ each: true })
  @MaxLength(NAME_LENGTH, { each: true })
  @ApiPropertyOptional({ type: [String], nullable: true, maxItems: MAX_SUBSCRIBERS, example: ['ada'] })
  subscribers?: string[] | null;

  /**
   * Key of the topic whose members are told; it is made if it does not exist. Default: `herald-alerts`.
   * @example herald-alerts
   */
  @IsOptional()
  @IsName()
  topic?: string | null;

  /** What is told. Default: everything. */
  @IsOptional()
  @IsArray()
  @ArrayUnique()
  @IsIn(ALERT_KINDS, { each: true })
  @ApiPropertyOptional({ enum: ALERT_KINDS, isArray: true, nullable: true, example: ['provider', 'daily_report'] })
  kinds?: AlertKind[] | null;

  /** Share of messages that fail within about an hour. At least 20 messages have to be sent or to fail. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: 100, default: 20 })
  failurePercent?: number | null;

  /** How late work is, in minutes. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_LATE_MINUTES)
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_LATE_MINUTES, default: 5 })
  lateMinutes?: number | null;

  /** Time of day of the report. */
  @IsOptional()
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: '$property must be a time of day like 08:00' })
  @ApiPropertyOptional({ type: String, nullable: true, default: '08:00' })
  reportAt?: string | null;

  /** Time zone of the report. Default: UTC. */
  @IsOptional()
  @IsTimeZone()
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: NAME_LENGTH, example: 'Europe/Berlin' })
  timezone?: string | null;
}

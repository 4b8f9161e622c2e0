import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsObject, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { ListNotificationsQuery } from '../notifications/index.js';

const DEFAULT_LIMIT = 1_000;
export const MAX_LIMIT = 100_000;

/** Filters of GET /v1/notifications. Only failed notifications are replayed, so there is none for the status. */
export class ReplayFilterDto extends OmitType(ListNotificationsQuery, [
  'page',
  'limit',
  'status',
  'after',
  'before',
] as const) {}

export class CreateNotificationReplayDto {
  /** Which failed notifications to replay. An empty object selects all of the environment. */
  @IsObject()
  @Type(() => ReplayFilterDto)
  @ValidateNested()
  @ApiProperty({ type: () => ReplayFilterDto, example: { channels: ['email'], from: '2026-01-31T12:00:00Z' } })
  filter: ReplayFilterDto;

  /**
   * Whether to also send messages again that the provider may have accepted. Recipients may then receive them twice.
   */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  includeUncertain?: boolean | null;

  /** How many notifications to replay at most. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: DEFAULT_LIMIT, example: 1_000 })
  limit?: number | null = DEFAULT_LIMIT;
}

/** The limit where the body has none or null. */
export function limitOf({ limit }: CreateNotificationReplayDto): number {
  return limit ?? DEFAULT_LIMIT;
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { CHANNELS, type Channel } from '#libs/channels';
import { apiOf, AsDeclared, IsListOf, IsValidBy } from '#libs/http-kit';
import { isGiven } from '#libs/validation';
import { type WeeklySchedule, weeklySchedule } from '#libs/schedule';

const PREFERENCE_LEVELS = ['global', 'template'] as const;
/** About everything, or about each workflow. */
export type PreferenceLevel = (typeof PREFERENCE_LEVELS)[number];

const WORDS: Record<string, boolean> = { true: true, false: false };

export class PreferenceLevelParam {
  @ApiProperty({ enum: PREFERENCE_LEVELS })
  @IsIn(PREFERENCE_LEVELS)
  level: PreferenceLevel;
}

export class ListPreferencesQuery {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Whether to include channels without an active step.',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (WORDS[value] ?? value) : value))
  @IsBoolean()
  includeInactiveChannels?: boolean;
}

const MAX_ENTRIES = 100;

/** Switches one channel. */
export class ChannelPreferenceDto {
  /** Channel. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  @IsIn(CHANNELS)
  type: Channel;

  /**
   * Whether the channel is enabled.
   * @example false
   */
  @IsBoolean()
  enabled: boolean;
}

/** Switches one channel; an empty object, which older clients send, changes nothing. */
export class OptionalChannelPreferenceDto {
  /** Channel. */
  @ApiPropertyOptional({ enum: CHANNELS, example: 'email' })
  @ValidateIf(isNotEmpty)
  @IsIn(CHANNELS)
  type?: Channel;

  /** Whether the channel is enabled. */
  @ApiPropertyOptional({ type: Boolean, example: false })
  @ValidateIf(isNotEmpty)
  @IsBoolean()
  enabled?: boolean;
}

function isNotEmpty({ type, enabled }: { type?: unknown; enabled?: unknown }): boolean {
  return isGiven(type) || isGiven(enabled);
}

export class UpdateWorkflowPreferenceDto {
  @ApiPropertyOptional({ type: OptionalChannelPreferenceDto, description: 'Channel to switch on or off.' })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => OptionalChannelPreferenceDto)
  channel?: OptionalChannelPreferenceDto | null;

  @ApiPropertyOptional({ type: Boolean, description: 'Switches the workflow as a whole on or off.', example: true })
  @IsOptional()
  @IsBoolean()
  enabled?: boolean | null;
}

export class UpdateGlobalPreferenceDto {
  @ApiPropertyOptional({ type: [ChannelPreferenceDto], description: 'Channels to switch on or off.' })
  @IsOptional()
  @IsListOf(() => ChannelPreferenceDto, MAX_ENTRIES)
  preferences?: ChannelPreferenceDto[] | null;

  @ApiPropertyOptional({ type: Boolean, description: 'Switches all notifications on or off.', example: true })
  @IsOptional()
  @IsBoolean()
  enabled?: boolean | null;

  /** When messages other than in-app ones may be sent, in the time zone of the subscriber. Replaces the schedule; null removes it. */
  @ApiPropertyOptional(apiOf(weeklySchedule))
  @IsOptional()
  @AsDeclared(weeklySchedule)
  @IsValidBy('isSchedule', weeklySchedule)
  schedule?: WeeklySchedule | null;
}

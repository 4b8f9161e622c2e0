import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { CHANNELS, type Channel } from '#libs/channels';
import { IsListOf } from '#libs/http-kit';

const MAX_ENTRIES = 100;

/** Switches one channel. */
export class ChannelPreferenceDto {
  /** Channel. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  @IsIn(CHANNELS)
  type: Channel;

  /**
   * Whether it is wanted.
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

  /** Whether it is wanted. */
  @ApiPropertyOptional({ type: Boolean, example: false })
  @ValidateIf(isNotEmpty)
  @IsBoolean()
  enabled?: boolean;
}

function isNotEmpty({ type, enabled }: { type?: unknown; enabled?: unknown }): boolean {
  return type !== undefined || enabled !== undefined;
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
}

import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, ValidateIf } from 'class-validator';

/** `isOnline`, or `online` as older clients call it. */
export class OnlineStatusDto {
  /** Whether the subscriber is online now. */
  @ValidateIf(({ online, isOnline }: OnlineStatusDto) => isGiven(isOnline) || !isGiven(online))
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, example: true })
  isOnline?: boolean;

  /** Older name of `isOnline`. */
  @ValidateIf(({ online }: OnlineStatusDto) => isGiven(online))
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, deprecated: true })
  online?: boolean;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

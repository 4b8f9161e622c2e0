import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';

export const PREFERENCE_LEVELS = ['global', 'template'] as const;
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
    description: 'Whether to show channels without an active step as well.',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (WORDS[value] ?? value) : value))
  @IsBoolean()
  includeInactiveChannels?: boolean;
}

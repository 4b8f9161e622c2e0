import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, OptionalString } from '#libs/http-kit';
import { NOTE_LENGTH } from '../workflow.dto.js';

export class CompareVersionDto {
  /**
   * Version to compare with. Default: the one before.
   * @example 2
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  since?: number;
}

export class RestoreVersionDto {
  /**
   * Note that the new version shows.
   * @example Back to the text of Monday
   */
  @OptionalString(NOTE_LENGTH)
  note?: string | null;
}

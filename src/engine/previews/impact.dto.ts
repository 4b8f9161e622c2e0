import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, OptionalString } from '#libs/http-kit';

const MAX_CURSOR_LENGTH = 255;
const MAX_RUNS = 200;

export class ImpactQuery {
  /** The `next` of the answer before, to go on with older notifications. */
  @OptionalString(MAX_CURSOR_LENGTH)
  cursor?: string | null;

  /** Notifications to look at, 1 to 200. Fewer are looked at if they take longer than two seconds. */
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_RUNS)
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_RUNS, default: 100 })
  limit: number = 100;
}

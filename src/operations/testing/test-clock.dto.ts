import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isGiven } from '#libs/validation';
import { IsDate, IsIn, IsInt, Max, Min, ValidateIf } from 'class-validator';

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const;
export type ClockUnit = (typeof UNITS)[number];
const MOST = 1_000_000;

const isByAmount = ({ to }: MoveTestClockDto): boolean => !isGiven(to);

/** A time, or how far to move: `amount` and `unit`. */
export class MoveTestClockDto {
  /** How far to move the time. */
  @ValidateIf(isByAmount)
  @IsInt()
  @Min(0)
  @Max(MOST)
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MOST, example: 3 })
  amount?: number;

  /** Unit of `amount`. */
  @ValidateIf(isByAmount)
  @IsIn(UNITS)
  @ApiPropertyOptional({ enum: UNITS, example: 'days' })
  unit?: ClockUnit;

  /** The time to move to, instead of `amount` and `unit`. */
  @ValidateIf(({ to }: MoveTestClockDto) => isGiven(to))
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? new Date(value) : value))
  @IsDate()
  @ApiPropertyOptional({ type: String, format: 'date-time' })
  to?: Date;
}

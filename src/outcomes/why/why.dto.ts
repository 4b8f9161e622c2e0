import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AsNumber, NAME_LENGTH, OptionalMoment } from '#libs/http-kit';

const DAY_HOURS = 24;
const MAX_HOURS = 720;

export class WhyQuery {
  /** Trigger identifier of the workflow. */
  @ApiProperty({ example: 'order-shipped' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(NAME_LENGTH)
  workflow: string;

  /** When the message was expected. Default: now. */
  @OptionalMoment()
  at?: string;

  /**
   * How far before `at` the workflow may have been triggered, in hours. Triggers up to an hour after `at` are looked at as well.
   * @example 24
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_HOURS)
  hours: number = DAY_HOURS;
}

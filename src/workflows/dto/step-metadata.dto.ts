import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  DELAY_TYPES,
  DIGEST_TYPES,
  MONTHLY_TYPES,
  type MonthlyType,
  type Ordinal,
  ORDINAL_VALUES,
  ORDINALS,
  type OrdinalValue,
  TIME_UNITS,
  type TimeUnit,
  WEEK_DAYS,
  type WeekDay,
} from '#libs/schedule';

const TYPES = [...new Set([...DIGEST_TYPES, ...DELAY_TYPES])];

/** When a timed digest goes out. */
export class TimedRuleDto {
  /**
   * Time of day, `HH:mm` or `HH:mm:ss`; needed for days, weeks and months.
   * @example 09:00
   */
  atTime?: string;

  /** Days of the week; needed for weeks. */
  @ApiPropertyOptional({ enum: WEEK_DAYS, isArray: true, example: ['monday', 'thursday'] })
  weekDays?: WeekDay[];

  /** Days of the month, from 1 to 31; a month without that day uses its last one. */
  @ApiPropertyOptional({ type: 'array', items: { type: 'integer', minimum: 1, maximum: 31 }, example: [1, 15] })
  monthDays?: number[];

  /** `each`: on `monthDays`. `on`: on the `ordinal` `ordinalValue`, such as the last weekday. */
  @ApiPropertyOptional({ enum: MONTHLY_TYPES })
  monthlyType?: MonthlyType;

  /** Which one of the month. */
  @ApiPropertyOptional({ enum: ORDINALS })
  ordinal?: Ordinal;

  /** Which day of the month is counted. */
  @ApiPropertyOptional({ enum: ORDINAL_VALUES })
  ordinalValue?: OrdinalValue;

  /** Kept as it was sent; digests do not use it. */
  cronExpression?: string;
}

/** When a digest or a delay goes on. Which fields are needed follows from `type`. */
export class StepMetadataDto {
  /** Digests: `regular`, `backoff` or `timed`. Delays: `regular` or `scheduled`. */
  @ApiPropertyOptional({ enum: TYPES, example: 'regular' })
  type?: string;

  /**
   * Length of a digest or delay, in `unit`.
   * @example 10
   */
  amount?: number;

  /** Unit of `amount`. */
  @ApiPropertyOptional({ enum: TIME_UNITS, example: 'minutes' })
  unit?: TimeUnit;

  /**
   * Dotted path in the payload; events with different values go into different digests.
   * @example customer.id
   */
  digestKey?: string;

  /**
   * With `scheduled`: dotted path of a date in the payload.
   * @example order.sendAt
   */
  delayPath?: string;

  /** True makes a regular digest behave like `backoff`: the first event goes on at once. */
  backoff?: boolean;

  /** With `backoff`: events so close to an earlier one are collected. */
  backoffAmount?: number;

  /** Unit of `backoffAmount`. */
  @ApiPropertyOptional({ enum: TIME_UNITS })
  backoffUnit?: TimeUnit;

  /** Kept for compatibility; nothing depends on it. */
  updateMode?: boolean;

  /** With `timed`: at which times. */
  @ApiPropertyOptional({ type: () => TimedRuleDto })
  timed?: TimedRuleDto;
}

/** Where replies of a recipient are forwarded to. */
export class ReplyCallbackDto {
  /** Whether it is used. */
  active?: boolean;

  /**
   * URL that is called.
   * @example https://example.com/replies
   */
  url?: string;
}

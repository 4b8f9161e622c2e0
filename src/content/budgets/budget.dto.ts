import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { type Channel, CHANNELS } from '#libs/channels';
import { IsName, OptionalString } from '#libs/http-kit';
import {
  BUDGET_UNITS,
  BUDGET_WINDOWS,
  type BudgetUnit,
  type BudgetWindow,
  OVER_BUDGET,
  type OverBudget,
} from './budget.schema.js';

const MAX_MESSAGES = 500;
const MAX_AMOUNT = 44_640;

/** A budget as it is written, also in files. */
export class BudgetDto {
  /**
   * Name of the budget, unique in the environment.
   * @example five-mails-a-day
   */
  @IsName()
  name: string;

  /**
   * Channels whose messages are counted together. Absent or empty: `email`, `sms`, `push` and `chat`. In-app messages count only
   * where `in_app` is named.
   * @example ["email"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(CHANNELS.length)
  @ArrayUnique()
  @IsIn(CHANNELS, { each: true })
  @ApiPropertyOptional({ enum: CHANNELS, isArray: true, nullable: true })
  channels?: Channel[] | null;

  /**
   * How many messages a subscriber gets in a window, 1 to 500.
   * @example 5
   */
  @IsInt()
  @Min(1)
  @Max(MAX_MESSAGES)
  max: number;

  /**
   * `day`: a calendar day in the time zone of the subscriber, or in UTC. `rolling`: any stretch of `amount` and `unit`.
   * @example day
   */
  @IsOptional()
  @IsIn(BUDGET_WINDOWS)
  @ApiPropertyOptional({ enum: BUDGET_WINDOWS, default: 'day', nullable: true })
  window?: BudgetWindow | null;

  /** Length of a rolling window; at most 31 days. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_AMOUNT)
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_AMOUNT, nullable: true })
  amount?: number | null;

  /** Unit of `amount`. A day has 24 hours. */
  @IsOptional()
  @IsIn(BUDGET_UNITS)
  @ApiPropertyOptional({ enum: BUDGET_UNITS, nullable: true })
  unit?: BudgetUnit | null;

  /**
   * What becomes of messages over the budget. `drop`: their step is skipped. `hold`: they are held until the budget opens, and then come
   * as one digest.
   * @example drop
   */
  @IsOptional()
  @IsIn(OVER_BUDGET)
  @ApiPropertyOptional({ enum: OVER_BUDGET, default: 'drop', nullable: true })
  over?: OverBudget | null;

  /** For `hold`: trigger identifier of the workflow that sends the digest. It must exist. */
  @OptionalString()
  digestWorkflow?: string | null;

  /** Whether it applies. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ default: true, nullable: true })
  active?: boolean | null;
}

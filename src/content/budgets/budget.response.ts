import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '#libs/channels';
import { RecordResponse, shower } from '#libs/http-kit';
import {
  type Budget,
  BUDGET_UNITS,
  BUDGET_WINDOWS,
  type BudgetUnit,
  type BudgetWindow,
  OVER_BUDGET,
  type OverBudget,
} from './budget.schema.js';

/** How many messages each subscriber gets, over all workflows. */
export class BudgetResponse extends RecordResponse {
  /** Name, unique in the environment. @example five-mails-a-day */
  name: string;
  /** Channels that are counted together. Empty: `email`, `sms`, `push` and `chat`. */
  @ApiProperty({ enum: CHANNELS, isArray: true, example: ['email'] })
  channels: Channel[];
  /** How many messages a subscriber gets in a window. @example 5 */
  max: number;
  /** Calendar day of the subscriber, or rolling. */
  @ApiProperty({ enum: BUDGET_WINDOWS, example: 'day' })
  window: BudgetWindow;
  /** Length of a rolling window. */
  amount?: number;
  /** Unit of `amount`. */
  @ApiPropertyOptional({ enum: BUDGET_UNITS })
  unit?: BudgetUnit;
  /** What becomes of messages over the budget. */
  @ApiProperty({ enum: OVER_BUDGET, example: 'drop' })
  over: OverBudget;
  /** Trigger identifier of the workflow that sends what was held. */
  digestWorkflow?: string;
  /** Whether it applies. */
  active: boolean;
}

export const showBudget = shower(BudgetResponse, (row: Budget) => ({
  name: row.name,
  channels: [...row.channels],
  max: row.max,
  window: row.window,
  amount: row.amount,
  unit: row.unit,
  over: row.over,
  digestWorkflow: row.digestWorkflow,
  active: row.active,
}));

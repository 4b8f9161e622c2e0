import type { Channel } from '#libs/channels';
import type { Budget } from './budget.schema.js';

/** A budget as deliveries use it. */
export interface BudgetRule {
  readonly id: string;
  readonly name: string;
  readonly channels: readonly Channel[];
  readonly max: number;
  /** Of a rolling window; absent: the calendar day of the subscriber. */
  readonly rollingMs?: number;
  /** The workflow that sends what was held; absent: what is over the budget is dropped. */
  readonly digestWorkflow?: string;
}

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
/** In-app messages wait in the Inbox, so only budgets that name them count them. */
const LEAVING: readonly Channel[] = ['email', 'sms', 'push', 'chat'];

export type RuleFields = Pick<
  Budget,
  'name' | 'channels' | 'max' | 'window' | 'amount' | 'unit' | 'over' | 'digestWorkflow'
>;

export function toRule(row: RuleFields & Pick<Budget, '_id'>): BudgetRule {
  const { name, channels, max, over, digestWorkflow } = row;
  const length = rollingMs(row);
  return {
    id: row._id.toHexString(),
    name,
    channels: channels.length === 0 ? LEAVING : channels,
    max,
    ...(length !== undefined && { rollingMs: length }),
    ...(over === 'hold' && digestWorkflow !== undefined && { digestWorkflow }),
  };
}

/** @returns undefined for calendar days */
export function rollingMs({
  window,
  amount,
  unit,
}: Pick<RuleFields, 'window' | 'amount' | 'unit'>): number | undefined {
  if (window === 'day' || amount === undefined || unit === undefined) return undefined;
  return amount * UNIT_MS[unit];
}

import { withoutNullish } from '#libs/persistence';
import type { BudgetDto } from './budget.dto.js';
import { rollingMs } from './budget.rule.js';
import type { Budget } from './budget.schema.js';

export type BudgetFields = Pick<
  Budget,
  'name' | 'channels' | 'max' | 'window' | 'amount' | 'unit' | 'over' | 'digestWorkflow' | 'active'
>;

const MAX_MS = 31 * 86_400_000;

/** What a body says, with defaults. */
export function fieldsOf(dto: BudgetDto): BudgetFields {
  const { name, channels, max, window, over, active, amount, unit, digestWorkflow } = dto;
  return {
    name,
    channels: channels ?? [],
    max,
    window: window ?? 'day',
    ...withoutNullish({ amount: amount ?? undefined, unit: unit ?? undefined }),
    over: over ?? 'drop',
    ...(digestWorkflow && { digestWorkflow }),
    active: active ?? true,
  };
}

/** What is wrong with fields together. */
export function faultsOf(fields: BudgetFields): string[] {
  const { window, amount, unit, over, digestWorkflow } = fields;
  const faults: string[] = [];
  const hasLength = amount !== undefined || unit !== undefined;
  if (window === 'day' && hasLength) faults.push('window must be rolling where amount and unit are given');
  if (window === 'rolling') {
    if (amount === undefined) faults.push('amount must be given for a rolling window');
    if (unit === undefined) faults.push('unit must be given for a rolling window');
    if ((rollingMs(fields) ?? 0) > MAX_MS) faults.push('amount must make a window of at most 31 days');
  }
  if (over === 'hold' && digestWorkflow === undefined) {
    faults.push('digestWorkflow must be the trigger identifier of the workflow that sends what was held');
  }
  if (over === 'drop' && digestWorkflow !== undefined) faults.push('over must be hold where digestWorkflow is given');
  return faults;
}

/** Without defaults. */
export function definitionOf({ name, channels, max, window, amount, unit, over, ...rest }: BudgetFields): BudgetDto {
  const { digestWorkflow, active } = rest;
  return {
    name,
    ...(channels.length > 0 && { channels: [...channels] }),
    max,
    ...(window !== 'day' && { window }),
    ...(amount !== undefined && { amount }),
    ...(unit !== undefined && { unit }),
    ...(over !== 'drop' && { over }),
    ...(digestWorkflow !== undefined && { digestWorkflow }),
    ...(!active && { active }),
  };
}

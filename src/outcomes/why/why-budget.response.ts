import { ApiProperty } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import { BudgetStandingResponse } from '../../engine/events/index.js';
import { DETAIL } from '../../engine/execution-details/index.js';

const DECISIONS = {
  [DETAIL.budgetPassed]: 'passed',
  [DETAIL.budgetCritical]: 'critical',
  [DETAIL.budgetDropped]: 'dropped',
  [DETAIL.budgetHeld]: 'held',
  [DETAIL.budgetDigested]: 'digested',
} as const;
type Decision = (typeof DECISIONS)[keyof typeof DECISIONS];

/** What the budgets of the subscriber have decided about a message. */
export class WhyBudgetResponse {
  /** `critical`: counted apart; `held`: waits for the digest of the budget; `digested`: it came with that digest. */
  @ApiProperty({ enum: Object.values(DECISIONS), example: 'dropped' })
  decision: Decision;
  /** The budgets that counted the message, as they stood then; where it was not sent, the one that decided. */
  @ApiProperty({ type: () => [BudgetStandingResponse] })
  budgets: BudgetStandingResponse[];
  /** Critical messages in the window, this one included. */
  critical?: number;
  /** Of the digest that the message came with. @example budget-64f0c1a2b3c4d5e6f7a8b9c0 */
  transactionId?: string;
}

interface Entry {
  readonly detail: string;
  readonly raw?: string;
}

/** @param details of one step, oldest first @returns undefined where no budget was asked */
export function budgetIn(details: readonly Entry[]): WhyBudgetResponse | undefined {
  const last = details.findLast(({ detail }) => Object.hasOwn(DECISIONS, detail));
  if (last === undefined) return undefined;
  const raw = readRaw(last.raw);
  const { critical, transactionId } = raw;
  const standings = Array.isArray(raw['budgets']) ? raw['budgets'].map(asRecord) : [raw];
  return shown(WhyBudgetResponse, {
    decision: DECISIONS[last.detail as keyof typeof DECISIONS],
    budgets: standings.flatMap(standingIn),
    ...(typeof critical === 'number' && { critical }),
    ...(typeof transactionId === 'string' && { transactionId }),
  });
}

/** Of a message that was not sent because of a budget. */
export function budgetWords({ decision, budgets: [one] }: WhyBudgetResponse): string {
  if (one === undefined || (decision !== 'dropped' && decision !== 'held')) return '';
  const opens = one.opensAt === undefined ? '' : `; it opens again at ${one.opensAt.toISOString()}`;
  return ` The budget '${one.name}' has ${one.count} of ${one.max} messages${opens}.`;
}

function standingIn({ name, budget, count, max, opensAt }: Record<string, unknown>): BudgetStandingResponse[] {
  const title = name ?? budget;
  if (typeof title !== 'string' || typeof count !== 'number' || typeof max !== 'number') return [];
  const opens = typeof opensAt === 'string' ? new Date(opensAt) : undefined;
  return [shown(BudgetStandingResponse, { name: title, count, max, opensAt: opens })];
}

function readRaw(text: string | undefined): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

import { readPath } from '#libs/common';
import type { ConditionBudget } from './condition-budget.js';
import { ConditionBudgetError, ConditionTemplateError, ConditionWebhookError } from './condition.errors.js';
import type { Condition, TimeOperator } from './condition.schema.js';
import type { ConditionContext, ConditionFilterLabel, ConditionRecord } from './evaluation.types.js';
import { compare } from './operators.js';
import { hasExpression } from './values.js';

const UNIT_MS: Readonly<Record<TimeOperator, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
/** Longer values are cut in execution records, which are stored with every run. */
const MAX_RECORDED = 500;

/** See `evaluateConditions` for the errors. */
export async function evaluateCondition(
  condition: Condition,
  context: ConditionContext,
  budget: ConditionBudget,
): Promise<ConditionRecord> {
  switch (condition.on ?? 'payload') {
    case 'payload':
      return compareField('Payload', condition, context.variables.payload, context, budget);
    case 'subscriber':
      return compareField('Subscriber', condition, context.variables.subscriber, context, budget);
    case 'tenant':
      return compareField('Tenant', condition, context.variables.tenant, context, budget);
    case 'steps':
      return compareField('Steps', condition, context.variables.steps, context, budget);
    case 'webhook':
      return compareField('Webhook', condition, await askWebhook(condition, context), context, budget);
    case 'isOnline':
      return isOnline(condition, context);
    case 'isOnlineInLast':
      return isOnlineInLast(condition, context);
    case 'previousStep':
      return previousStep(condition, context);
  }
}

async function compareField(
  filter: ConditionFilterLabel,
  condition: Condition,
  root: unknown,
  context: ConditionContext,
  budget: ConditionBudget,
): Promise<ConditionRecord> {
  const field = condition.field ?? '';
  const operator = condition.operator ?? 'EQUAL';
  const actual = readPath(root, field);
  const expected = await renderExpected(condition.value, context, budget);
  return budget.compute(() => record(filter, field, expected, actual, operator, compare(operator, actual, expected)));
}

async function renderExpected(value: unknown, context: ConditionContext, budget: ConditionBudget): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value as unknown[]) {
      items.push(hasExpression(item) ? await renderText(item, context, budget) : item);
    }
    return items;
  }
  return hasExpression(value) ? renderText(value, context, budget) : value;
}

async function renderText(template: string, context: ConditionContext, budget: ConditionBudget): Promise<unknown> {
  budget.countRendering();
  try {
    return await budget.compute(() => context.renderValue(template));
  } catch (error) {
    if (error instanceof ConditionBudgetError) throw error;
    const reason = error instanceof Error ? error.message : 'it cannot be rendered';
    throw new ConditionTemplateError(`The value of a condition is not a valid template: ${reason}`, { cause: error });
  }
}

async function askWebhook(condition: Condition, context: ConditionContext): Promise<unknown> {
  if (!context.webhook) throw new ConditionWebhookError('Webhook conditions cannot be evaluated here.');
  try {
    return await context.webhook(condition);
  } catch (error) {
    if (error instanceof ConditionWebhookError) throw error;
    throw new ConditionWebhookError('The webhook of a condition did not answer.', { cause: error });
  }
}

/** A subscriber who was never online or offline passes for neither value. */
function isOnline({ value }: Condition, { variables }: ConditionContext): ConditionRecord {
  const { isOnline: online, lastOnlineAt } = variables.subscriber ?? {};
  const expected = value === true || value === 'true';
  const isKnown = typeof online === 'boolean' || isGiven(lastOnlineAt);
  return record('Is online', 'isOnline', expected, online, 'EQUAL', isKnown && (online === true) === expected);
}

function isOnlineInLast(condition: Condition, { variables, now }: ConditionContext): ConditionRecord {
  const { isOnline: online, lastOnlineAt } = variables.subscriber ?? {};
  const unit = condition.timeOperator ?? 'minutes';
  const limit = Number(condition.value);
  const elapsed = Math.trunc((now.getTime() - timeOf(lastOnlineAt)) / UNIT_MS[unit]);
  const passed = online === true || (elapsed >= 0 && elapsed <= limit);
  const actual = online === true ? 'online' : lastOnlineAt;
  return record('Last time was online', 'lastOnlineAt', `${limit} ${unit}`, actual, 'SMALLER_EQUAL', passed);
}

async function previousStep(condition: Condition, context: ConditionContext): Promise<ConditionRecord> {
  const stepType = condition.stepType ?? 'seen';
  const state = await context.previousStep?.(condition.step ?? '');
  if (!state?.exists) return record('Previous step', stepType, true, 'no message', 'EQUAL', true);
  const isRead = state.read || state.opened;
  const isSeen = state.seen || isRead;
  const facts = { read: isRead, unread: !isRead, seen: isSeen, unseen: !isSeen };
  return record('Previous step', stepType, true, facts[stepType], 'EQUAL', facts[stepType]);
}

function record(
  filter: ConditionFilterLabel,
  field: string,
  expected: unknown,
  actual: unknown,
  operator: string,
  passed: boolean,
): ConditionRecord {
  return { filter, field, expected: describe(expected), actual: describe(actual), operator, passed };
}

function describe(value: unknown): string {
  if (value === undefined) return 'undefined';
  const text = typeof value === 'string' ? value : toJson(shortened(value));
  return text.length > MAX_RECORDED ? `${text.slice(0, MAX_RECORDED)}…` : text;
}

/** Serializes only the beginning of a large value. */
function shortened(value: unknown, room = { left: MAX_RECORDED }): unknown {
  room.left -= 1;
  if (typeof value === 'string') return value.slice(0, MAX_RECORDED + 1);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (room.left < 0) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_RECORDED).map((item) => shortened(item, room));
  const entries: [string, unknown][] = [];
  for (const key in value) {
    if (room.left < 0) break;
    if (Object.hasOwn(value, key)) entries.push([key, shortened((value as Record<string, unknown>)[key], room)]);
  }
  return Object.fromEntries(entries);
}

function toJson(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'undefined');
}

function timeOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' || typeof value === 'number' ? new Date(value).getTime() : Number.NaN;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

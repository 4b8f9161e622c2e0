import { readPath } from '#libs/data-path';
import { ConditionTemplateError, ConditionWebhookError } from './condition.errors.js';
import type { Condition, TimeOperator } from './condition.types.js';
import type { ConditionContext, ConditionFilterLabel, ConditionRecord } from './evaluation.types.js';
import { compare } from './operators.js';

const UNIT_MS: Readonly<Record<TimeOperator, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
/** Longer values are cut in records, which are stored with every run. */
const MAX_RECORDED = 500;

/** Evaluates one condition; see `evaluateConditions` for the errors. */
export async function evaluateCondition(condition: Condition, context: ConditionContext): Promise<ConditionRecord> {
  switch (condition.on ?? 'payload') {
    case 'payload':
      return compareField('Payload', condition, context.variables.payload, context);
    case 'subscriber':
      return compareField('Subscriber', condition, context.variables.subscriber, context);
    case 'tenant':
      return compareField('Tenant', condition, context.variables.tenant, context);
    case 'webhook':
      return compareField('Webhook', condition, await askWebhook(condition, context), context);
    case 'isOnline':
      return isOnline(condition, context);
    case 'isOnlineInLast':
      return isOnlineInLast(condition, context);
    case 'previousStep':
      return previousStep(condition, context);
  }
}

function compareField(
  filter: ConditionFilterLabel,
  condition: Condition,
  root: unknown,
  context: ConditionContext,
): ConditionRecord {
  const field = condition.field ?? '';
  const operator = condition.operator ?? 'EQUAL';
  const actual = readPath(root, field);
  const expected = renderExpected(condition.value, context);
  return record(filter, field, expected, actual, operator, compare(operator, actual, expected));
}

function renderExpected(value: unknown, context: ConditionContext): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => renderExpected(item, context));
  if (typeof value !== 'string' || !value.includes('{{')) return value;
  try {
    return context.renderValue(value);
  } catch (error) {
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

/** A subscriber that was never seen online or offline passes neither for true nor for false. */
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
  const text = typeof value === 'string' ? value : toJson(value);
  return text.length > MAX_RECORDED ? `${text.slice(0, MAX_RECORDED)}…` : text;
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

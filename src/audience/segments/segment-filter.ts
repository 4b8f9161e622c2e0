import type { ApiPropertyOptions } from '@nestjs/swagger';
import { type Condition, type ConditionGroup, conditionGroups } from '#libs/conditions';
import { apiOf, type Fields } from '#libs/http-kit';
import { faultsOf, membersOf } from '#libs/validation';
import { PROFILE_FIELDS, type SubscriberFilter } from '../subscribers/index.js';

type Query = Record<string, unknown>;
type Comparison = (field: string, value: unknown) => Query;

/** The same declaration as for steps, of what is stored with a subscriber. */
const CONDITIONS = conditionGroups({
  on: ['subscriber', 'isOnline', 'isOnlineInLast'],
  templateFault: () => 'a segment has no variables',
});

export const SEGMENT_CONDITIONS: ApiPropertyOptions = {
  ...apiOf(CONDITIONS.unwrap().unwrap()),
  example: [{ value: 'AND', children: [{ on: 'subscriber', field: 'data.plan', operator: 'EQUAL', value: 'trial' }] }],
};

export const SEGMENT_FIELDS = membersOf(CONDITIONS) as Fields;

/** `channels` hold credentials, and nobody may guess those by counting. */
const FIELDS = ['subscriberId', ...PROFILE_FIELDS.map(({ name }) => name)];
const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

const OPERATORS: Readonly<Record<string, Comparison>> = {
  EQUAL: (field, value) => ({ [field]: { $in: formsOf(value) } }),
  IN: anyOf,
  ANY_IN: anyOf,
  ALL_IN: (field, value) => allOf(listOf(value).map((one) => ({ [field]: { $in: formsOf(one) } }))),
  LARGER: (field, value) => ({ [field]: { $gt: orderedForm(value) } }),
  LARGER_EQUAL: (field, value) => ({ [field]: { $gte: orderedForm(value) } }),
  SMALLER: (field, value) => ({ [field]: { $lt: orderedForm(value) } }),
  SMALLER_EQUAL: (field, value) => ({ [field]: { $lte: orderedForm(value) } }),
  BETWEEN: (field, value) => {
    const [from, to] = listOf(value).map(orderedForm);
    return { [field]: { $gte: from, $lte: to } };
  },
  LIKE: (field, value) => ({ [field]: { $regex: likePattern(String(value)), $options: 'is' } }),
  IS_DEFINED: (field) => ({ [field]: { $ne: null } }),
};
const OPPOSITES: Readonly<Record<string, string>> = {
  NOT_EQUAL: 'EQUAL',
  NOT_IN: 'IN',
  NOT_BETWEEN: 'BETWEEN',
  NOT_LIKE: 'LIKE',
};

/** Faults of the conditions of a segment: those of every condition, then what the store cannot compare. */
export function segmentFaults(conditions: unknown, path: string): string[] {
  const faults = faultsOf(CONDITIONS.unwrap().unwrap(), conditions, path);
  if (faults.length > 0 || !Array.isArray(conditions)) return faults;
  return (conditions as ConditionGroup[]).flatMap(({ children }, group) =>
    children.flatMap((child, place) => childFaults(child, `${path}.${group}.children.${place}`)),
  );
}

function childFaults({ on, field = '', operator = 'EQUAL', value }: Condition, path: string): string[] {
  if (on !== 'subscriber') return [];
  const [root = '', ...rest] = field.split('.');
  const isNested = root === 'data' && rest.length > 0 && rest.every((name) => name !== '' && !name.startsWith('$'));
  if (!isNested && (root === 'data' || rest.length > 0 || !FIELDS.includes(root))) {
    return [`${path}.field must be one of ${FIELDS.filter((name) => name !== 'data').join(', ')}, or data. and a name`];
  }
  if (OPERATORS[OPPOSITES[operator] ?? operator] === undefined) {
    return [`${path}.operator ${operator} cannot be evaluated in the store`];
  }
  const isText = operator === 'LIKE' || operator === 'NOT_LIKE';
  if (isText && (typeof value !== 'string' || !LIKE.test(value))) {
    return [`${path}.value must be a text, with % at its beginning or its end only`];
  }
  return [];
}

/** What the store looks for. @param now what `isOnlineInLast` counts from */
export function storeFilter(groups: readonly ConditionGroup[], now: Date): SubscriberFilter {
  return groups.length === 0 ? {} : { $or: groups.map((group) => groupFilter(group, now)) };
}

function groupFilter({ children, value, isNegated }: ConditionGroup, now: Date): Query {
  if (children.length === 0) return {};
  const filters = children.map((child) => childFilter(child, now));
  const joined = value === 'OR' ? { $or: filters } : allOf(filters);
  return isNegated === true ? { $nor: [joined] } : joined;
}

function childFilter({ on, field = '', operator = 'EQUAL', value, timeOperator }: Condition, now: Date): Query {
  if (on === 'isOnline') return onlineFilter(value === true || value === 'true');
  if (on === 'isOnlineInLast') {
    // The last unit counts whole, as it does for steps.
    const since = now.getTime() - (Number(value) + 1) * UNIT_MS[timeOperator ?? 'minutes'];
    return { $or: [{ isOnline: true }, { lastOnlineAt: { $gt: new Date(Math.max(since, 0)) } }] };
  }
  const opposite = OPPOSITES[operator];
  const compare = OPERATORS[opposite ?? operator];
  // Nobody, rather than everybody, for what an older version has stored.
  if (compare === undefined) return { $nor: [{}] };
  const found = compare(field, value);
  return opposite === undefined ? found : { $nor: [found] };
}

/** Whoever was never online or offline is neither. */
function onlineFilter(isOnline: boolean): Query {
  if (isOnline) return { isOnline: true };
  return { isOnline: { $ne: true }, $or: [{ isOnline: false }, { lastOnlineAt: { $exists: true } }] };
}

function anyOf(field: string, value: unknown): Query {
  return { [field]: { $in: listOf(value).flatMap(formsOf) } };
}

function allOf(filters: readonly Query[]): Query {
  return filters.length === 0 ? { $nor: [{}] } : { $and: [...filters] };
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' && value.includes(',') ? value.split(',').map((part) => part.trim()) : [value];
}

/** A value as text, number and boolean, because forms send texts and the field decides what it is. */
function formsOf(value: unknown): unknown[] {
  if (value === null) return [null];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const asNumber = numberOf(value);
  return [
    text,
    ...(asNumber === undefined ? [] : [asNumber]),
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
  ];
}

/** The store orders numbers among numbers and texts among texts. */
function orderedForm(value: unknown): unknown {
  return numberOf(value) ?? value;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber ? Number(value) : undefined;
}

const LIKE = /^%?[^%*]+%?$/;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** Without a sign for anything, it looks within the text, as it does for steps. */
function likePattern(text: string): string {
  const begins = text.startsWith('%');
  const ends = text.endsWith('%');
  const literal = text.slice(begins ? 1 : 0, ends ? -1 : undefined).replace(SPECIAL, String.raw`\$&`);
  if (begins === ends) return literal;
  return begins ? `${literal}$` : `^${literal}`;
}

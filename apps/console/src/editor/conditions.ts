import type { Schemas } from '../api/client.js';
import type { DraftStep, Group } from '../drafts/draft.js';

export type Condition = Schemas['ConditionDto'];
export type Source = NonNullable<Condition['on']>;

export const SOURCES: readonly { readonly value: Source; readonly label: string }[] = [
  { value: 'payload', label: 'Payload' },
  { value: 'subscriber', label: 'Subscriber' },
  { value: 'tenant', label: 'Tenant' },
  { value: 'previousStep', label: 'Earlier message' },
  { value: 'isOnline', label: 'Online now' },
  { value: 'isOnlineInLast', label: 'Online recently' },
  { value: 'webhook', label: 'Answer of a URL' },
];

export function newCondition(): Condition {
  return { on: 'payload', field: '', operator: 'EQUAL', value: '' };
}

/** A condition that looks at something else, with what it needs. */
export function withSource(condition: Condition, on: Source, earlier: readonly DraftStep[]): Condition {
  const { field = '', operator = 'EQUAL' } = condition;
  const value = typeof condition.value === 'string' ? condition.value : '';
  switch (on) {
    case 'isOnline':
      return { on, value: true };
    case 'isOnlineInLast':
      return { on, value: 5, timeOperator: 'minutes' };
    case 'previousStep':
      return { on, step: earlier.at(-1)?.uuid ?? '', stepType: 'unread' };
    case 'webhook':
      return { on, webhookUrl: condition.webhookUrl ?? '', field, operator, value };
    default:
      return { on, field, operator, value };
  }
}

/** Without groups that have lost their last condition. */
export function groupsOf(groups: readonly Group[]): readonly Group[] {
  return groups.filter(({ children }) => children.length > 0);
}

/** A value as the text of its field. */
export function writtenValue(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => writtenValue(one)).join(', ');
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Texts are compared as numbers where both are; so a text is enough, unless the stored value has another type that still fits. */
export function readValue(text: string, former: unknown): unknown {
  if (Array.isArray(former)) return text.split(',').map((one) => one.trim());
  if (typeof former === 'number' && text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (typeof former === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

import type { Schemas } from '../api/client.js';
import { typeLabel } from '../activity/words.js';
import { textIn } from '../ui/form-text.js';

export type Budget = Schemas['BudgetResponse'];
export type BudgetBody = Schemas['BudgetDto'];

export const CHANNELS = ['email', 'sms', 'push', 'chat', 'in_app'] as const;

/** What a budget counts: `Email, SMS`. */
export function channelWords({ channels }: Pick<Budget, 'channels'>): string {
  return channels.length === 0 ? 'Email, SMS, push and chat together' : channels.map(typeLabel).join(', ');
}

/** How many messages, and in which time: `5 a day`. */
export function limitWords({ max, window, amount, unit }: Pick<Budget, 'max' | 'window' | 'amount' | 'unit'>): string {
  if (window === 'day') return `${max} a day`;
  const span = amount === 1 ? (unit ?? '').replace(/s$/, '') : `${amount ?? '?'} ${unit ?? ''}`;
  return `${max} in any ${span}`;
}

export function overWords({ over, digestWorkflow }: Pick<Budget, 'over' | 'digestWorkflow'>): string {
  return over === 'drop' ? 'Not sent' : `One digest, by ${digestWorkflow ?? '?'}`;
}

/** What the fields of the form say. Those that do not apply are left out. */
export function bodyIn(form: Pick<FormData, 'get' | 'getAll'>): BudgetBody {
  const isRolling = textIn(form, 'window') === 'rolling';
  const isHolding = textIn(form, 'over') === 'hold';
  const channels = CHANNELS.filter((channel) => form.getAll('channels').includes(channel));
  return {
    name: textIn(form, 'name'),
    channels,
    max: Number(textIn(form, 'max')),
    window: isRolling ? 'rolling' : 'day',
    ...(isRolling && {
      amount: Number(textIn(form, 'amount')),
      unit: textIn(form, 'unit') as NonNullable<BudgetBody['unit']>,
    }),
    over: isHolding ? 'hold' : 'drop',
    ...(isHolding && { digestWorkflow: textIn(form, 'digestWorkflow') }),
    active: form.get('active') !== null,
  };
}

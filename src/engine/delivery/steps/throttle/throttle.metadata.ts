import { amount, checkSpan, keyPath, type StepMetadata, type TimedUnit, wholeUnit } from '#libs/schedule';
import { dependent, isObject, object, oneOf, type RawObject, type Report, rule } from '#libs/validation';
import { z } from 'zod';

/** The store keeps who has passed in a window in one record. */
const MAX_THRESHOLD = 1_000;
const WRONG_THRESHOLD = `must be a whole number from 1 to ${MAX_THRESHOLD}`;

const MS: Readonly<Record<TimedUnit, number>> = {
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 7 * 86_400_000,
  months: 28 * 86_400_000,
};

export interface WindowLength {
  amount: number;
  unit: TimedUnit;
}

/** A throttle as it is stored; `type` is `fixed` where it is absent. */
export type ThrottleMetadata = StepMetadata & { threshold?: number; throttleKey?: string } & (
    (WindowLength & { type?: 'fixed' }) | { type: 'dynamic'; dynamicKey: string }
  );

function checkLength(value: RawObject, report: Report): void {
  checkSpan(value, report, 'amount', 'unit');
  const { amount: length, unit } = value;
  const ms = MS[unit as TimedUnit] as number | undefined;
  if (typeof length === 'number' && ms !== undefined && length > 0 && length * ms < MS.minutes) {
    report('must be at least one minute', 'amount');
  }
}

const length = { amount, unit: wholeUnit };
export const windowLength = rule(object(length, 'must be an object with amount and unit'), checkLength);

const shared = {
  threshold: z
    .int({ error: WRONG_THRESHOLD })
    .min(1, { error: WRONG_THRESHOLD })
    .max(MAX_THRESHOLD, { error: WRONG_THRESHOLD })
    .nullish(),
  throttleKey: dependent(z.string(), (value) => (value === '' ? z.literal('') : keyPath)).nullish(),
};
const FIXED = rule(object({ ...length, ...shared }), checkLength);
const DYNAMIC = object({ dynamicKey: keyPath, ...shared });
const UNKNOWN = object({ type: oneOf(['fixed', 'dynamic']) });

export const throttleMetadata = dependent(z.looseObject({}), (value) => {
  if (!isObject(value)) return z.never({ error: 'must be an object: a throttle step needs amount and unit' });
  const type = value['type'] ?? 'fixed';
  if (type === 'dynamic') return DYNAMIC;
  return type === 'fixed' ? FIXED : UNKNOWN;
});

import {
  DELAY_TYPES,
  DIGEST_TYPES,
  MONTHLY_TYPES,
  ORDINALS,
  ORDINAL_VALUES,
  TIMED_UNITS,
  TIME_UNITS,
  WEEK_DAYS,
  type TimeUnit,
} from './schedule.types.js';

/** Ten years in each unit: far beyond any use, near enough for dates to stay valid. */
export const MAX_AMOUNT: Readonly<Record<TimeUnit, number>> = {
  seconds: 315_360_000,
  minutes: 5_256_000,
  hours: 87_600,
  days: 3_650,
  weeks: 520,
  months: 120,
};
const MAX_PATH_LENGTH = 255;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
const FORBIDDEN_SEGMENTS = new Set(['__proto__', 'constructor', 'prototype']);

type Faults = string[];
type RawObject = Record<string, unknown>;

/**
 * Lists every fault of a digest's or delay's metadata as sent by a client; each text begins with the path of the faulty
 * part. Never throws, whatever it is given. Unknown keys are none of its business.
 */
export function validateStepMetadata(stepType: 'digest' | 'delay', metadata: unknown, path: string): string[] {
  if (!isObject(metadata)) return [`${path} must be an object: a ${stepType} step needs a type`];
  const faults: Faults = [];
  if (stepType === 'delay') checkDelay(metadata, path, faults);
  else checkDigest(metadata, path, faults);
  return faults;
}

/**
 * Lists the faults of `overrides.delay`, which replaces amount and unit of regular digests and delays.
 * Absent means "no override".
 */
export function validateSpan(span: unknown, path: string): string[] {
  if (!isGiven(span)) return [];
  if (!isObject(span)) return [`${path} must be an object with amount and unit`];
  const faults: Faults = [];
  checkSpan(span.amount, span.unit, `${path}.amount`, `${path}.unit`, TIME_UNITS, faults);
  return faults;
}

function checkDelay(metadata: RawObject, path: string, faults: Faults): void {
  if (!checkOneOf(metadata.type, DELAY_TYPES, `${path}.type`, faults)) return;
  if (metadata.type === 'scheduled') {
    checkPayloadPath(metadata.delayPath, `${path}.delayPath`, faults);
    return;
  }
  checkSpan(metadata.amount, metadata.unit, `${path}.amount`, `${path}.unit`, TIME_UNITS, faults);
}

function checkDigest(metadata: RawObject, path: string, faults: Faults): void {
  const { type, amount, unit, backoff, digestKey } = metadata;
  const hasType = checkOneOf(type, DIGEST_TYPES, `${path}.type`, faults);
  const units = type === 'timed' ? TIMED_UNITS : TIME_UNITS;
  const hasUnit = checkSpan(amount, unit, `${path}.amount`, `${path}.unit`, units, faults);
  if (isGiven(digestKey) && digestKey !== '') checkPayloadPath(digestKey, `${path}.digestKey`, faults);
  for (const key of ['backoff', 'updateMode']) {
    if (isGiven(metadata[key]) && typeof metadata[key] !== 'boolean') faults.push(`${path}.${key} must be a boolean`);
  }
  if (!hasType) return;
  if (type === 'backoff' || (type === 'regular' && backoff === true)) {
    const { backoffAmount, backoffUnit } = metadata;
    checkSpan(backoffAmount, backoffUnit, `${path}.backoffAmount`, `${path}.backoffUnit`, TIME_UNITS, faults);
  }
  if (type === 'timed' && hasUnit) checkTimed(metadata, path, faults);
}

function checkTimed({ amount, unit, timed }: RawObject, metadataPath: string, faults: Faults): void {
  if (typeof amount === 'number' && !Number.isInteger(amount)) {
    faults.push(`${metadataPath}.amount must be a whole number for a timed digest`);
  }
  const path = `${metadataPath}.timed`;
  const needsRule = unit === 'days' || unit === 'weeks' || unit === 'months';
  if (!needsRule && !isGiven(timed)) return;
  if (!isObject(timed)) {
    faults.push(`${path} must be an object`);
    return;
  }
  if (needsRule || isGiven(timed.atTime)) checkTimeOfDay(timed.atTime, `${path}.atTime`, faults);
  if (unit === 'weeks') checkWeekDays(timed.weekDays, `${path}.weekDays`, faults);
  if (unit === 'months') checkMonthly(timed, path, faults);
}

function checkTimeOfDay(atTime: unknown, path: string, faults: Faults): void {
  if (typeof atTime === 'string' && TIME_OF_DAY.test(atTime)) return;
  faults.push(`${path} must be a time of day like 09:30`);
}

function checkWeekDays(weekDays: unknown, path: string, faults: Faults): void {
  if (!Array.isArray(weekDays) || weekDays.length === 0 || weekDays.length > WEEK_DAYS.length) {
    faults.push(`${path} must list 1 to 7 days of the week`);
    return;
  }
  weekDays.forEach((day: unknown, index) => checkOneOf(day, WEEK_DAYS, `${path}.${index}`, faults));
}

function checkMonthly(timed: RawObject, path: string, faults: Faults): void {
  const { monthlyType, monthDays, ordinal, ordinalValue } = timed;
  if (isGiven(monthlyType) && !checkOneOf(monthlyType, MONTHLY_TYPES, `${path}.monthlyType`, faults)) return;
  if (monthlyType === 'on') {
    checkOneOf(ordinal, ORDINALS, `${path}.ordinal`, faults);
    checkOneOf(ordinalValue, ORDINAL_VALUES, `${path}.ordinalValue`, faults);
    return;
  }
  if (!Array.isArray(monthDays) || monthDays.length === 0 || monthDays.length > 31) {
    faults.push(`${path}.monthDays must list 1 to 31 days of the month`);
    return;
  }
  monthDays.forEach((day: unknown, index) => {
    if (typeof day === 'number' && Number.isInteger(day) && day >= 1 && day <= 31) return;
    faults.push(`${path}.monthDays.${index} must be a whole number from 1 to 31`);
  });
}

function checkSpan(
  amount: unknown,
  unit: unknown,
  amountPath: string,
  unitPath: string,
  units: readonly TimeUnit[],
  faults: Faults,
): boolean {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount <= 0) {
    faults.push(`${amountPath} must be a number greater than 0`);
  }
  if (!checkOneOf(unit, units, unitPath, faults)) return false;
  const known = units.find((candidate) => candidate === unit);
  if (known === undefined || typeof amount !== 'number') return true;
  if (amount > MAX_AMOUNT[known]) faults.push(`${amountPath} must be at most ${MAX_AMOUNT[known]} ${known}`);
  if ((known === 'weeks' || known === 'months') && amount > 0 && !Number.isInteger(amount)) {
    faults.push(`${amountPath} must be a whole number of ${known}`);
  }
  return true;
}

function checkPayloadPath(value: unknown, path: string, faults: Faults): void {
  if (typeof value !== 'string' || value.trim() === '') {
    faults.push(`${path} must be a path in the payload, like order.date`);
  } else if (value.length > MAX_PATH_LENGTH) {
    faults.push(`${path} must be at most ${MAX_PATH_LENGTH} characters long`);
  } else if (value.split('.').some((segment) => FORBIDDEN_SEGMENTS.has(segment))) {
    faults.push(`${path} must not contain __proto__, constructor or prototype`);
  }
}

function checkOneOf(value: unknown, allowed: readonly string[], path: string, faults: Faults): boolean {
  if (typeof value === 'string' && allowed.includes(value)) return true;
  faults.push(`${path} must be one of ${allowed.join(', ')}`);
  return false;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { findHostileJson, operatorKeyFaults } from '#libs/http-kit';
import { isObject } from '#libs/validation';

const MAX_CONDITIONS = 50;

export type PayloadCondition = readonly [path: string, value: unknown];

export function payloadFaults(value: unknown, property: string): string[] {
  const payload = decode(value);
  if (payload === undefined) return [`${property} must be a JSON object in base64`];
  const fault = findHostileJson(payload, { path: property, offset: 0, depth: 0 });
  if (fault !== undefined) return [fault];
  const operators = operatorKeyFaults(payload, property);
  if (operators.length > 0) return operators;
  const conditions = flatten(payload, '');
  if (conditions.length > MAX_CONDITIONS) return [`${property} must have at most ${MAX_CONDITIONS} values`];
  return [];
}

export function payloadConditions(text: string): readonly PayloadCondition[] {
  return flatten(decode(text) ?? {}, '');
}

function decode(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function flatten(value: Record<string, unknown>, path: string): PayloadCondition[] {
  return Object.entries(value).flatMap(([key, child]): PayloadCondition[] => {
    const childPath = path === '' ? key : `${path}.${key}`;
    return isObject(child) ? flatten(child, childPath) : [[childPath, child]];
  });
}

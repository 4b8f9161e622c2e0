import { parseTemplate } from './syntax.js';

export type Faults = string[];
export type RawObject = Record<string, unknown>;

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function checkOneOf(value: unknown, allowed: readonly string[], path: string, faults: Faults): boolean {
  if (typeof value === 'string' && allowed.includes(value)) return true;
  faults.push(`${path} must be one of ${allowed.join(', ')}`);
  return false;
}

/** An optional string of limited length. */
export function checkText(value: unknown, maxLength: number, path: string, faults: Faults): boolean {
  if (!isGiven(value)) return true;
  if (typeof value !== 'string') {
    faults.push(`${path} must be a string`);
    return false;
  }
  if (value.length <= maxLength) return true;
  faults.push(`${path} must be at most ${maxLength} characters long`);
  return false;
}

/** An optional string that must be a template that can be rendered. */
export function checkTemplateText(value: unknown, maxLength: number, path: string, faults: Faults): void {
  if (!checkText(value, maxLength, path, faults) || typeof value !== 'string') return;
  const result = parseTemplate(value);
  if (!result.ok) faults.push(`${path} is not a valid template: ${result.message}`);
}

import { CONDITION_ON, validateConditions } from '#libs/conditions';
import { NAME_LENGTH, findOperatorKeys } from '#libs/http-kit';
import { DELAY_TYPES, DIGEST_TYPES, TIME_UNITS, validateStepMetadata } from '#libs/schedule';
import { parseTemplate, validateStepTemplate } from '#libs/templates';
import { Turns } from '#libs/worker-pool';

/** Most steps of a workflow. */
export const MAX_STEPS = 200;
const MAX_VARIANTS = 50;
const MAX_URL = 5000;
/** Faults beyond this number are not listed. */
const MAX_FAULTS = 200;

type Json = Record<string, unknown>;

/** What the steps before the one under examination have brought. */
interface Place {
  readonly path: string;
  /** By uuid, the path of the step that has it. */
  readonly earlier: ReadonlyMap<string, string>;
}

/**
 * Lists every fault of the steps that a client sends, each text beginning with the path of the faulty part:
 * `steps.2.metadata.amount must be ...`. Never throws, whatever it is given.
 */
export function validateSteps(steps: unknown, property: string): string[] {
  return [...faultsInParts(steps, property)].flat().slice(0, MAX_FAULTS);
}

/** As {@link validateSteps}, for bodies of many megabytes: others have their turn between steps. */
export async function validateStepsInTurns(steps: unknown, property: string): Promise<string[]> {
  const turns = new Turns();
  const faults: string[] = [];
  for (const part of faultsInParts(steps, property)) {
    faults.push(...part);
    await turns.offer();
  }
  return faults.slice(0, MAX_FAULTS);
}

/** The faults of the steps and of their variants, one after the other. */
function* faultsInParts(steps: unknown, property: string): Generator<string[]> {
  if (!Array.isArray(steps)) {
    yield [`${property} must be an array of steps`];
    return;
  }
  if (steps.length > MAX_STEPS) {
    yield [`${property} must contain at most ${MAX_STEPS} steps`];
    return;
  }
  const earlier = new Map<string, string>();
  for (const [index, step] of (steps as unknown[]).entries()) {
    const path = `${property}.${index}`;
    if (!isObject(step)) {
      yield [`${path} must be an object`];
      continue;
    }
    yield validateStep(step, { path, earlier });
    yield* variantFaults(step, { path, earlier });
    if (typeof step['uuid'] === 'string') earlier.set(step['uuid'], path);
  }
}

function* variantFaults(step: Json, { path, earlier }: Place): Generator<string[]> {
  const { variants } = step;
  if (isAbsent(variants)) return;
  if (!Array.isArray(variants)) {
    yield [`${path}.variants must be an array of steps`];
    return;
  }
  if (variants.length > MAX_VARIANTS) {
    yield [`${path}.variants must contain at most ${MAX_VARIANTS} steps`];
    return;
  }
  const type = isObject(step['template']) ? step['template']['type'] : undefined;
  for (const [index, variant] of (variants as unknown[]).entries()) {
    const variantPath = `${path}.variants.${index}`;
    if (!isObject(variant)) {
      yield [`${variantPath} must be an object`];
      continue;
    }
    yield validateStep(variant, { path: variantPath, earlier }, typeof type === 'string' ? type : undefined);
    if (!hasCondition(variant['filters'])) {
      yield [`${variantPath}.filters must have a condition: it decides when the variant is used`];
    }
  }
}

function validateStep(step: Json, { path, earlier }: Place, parentType?: string): string[] {
  const { template, filters } = step;
  return [
    ...validateIdentity(step, path, earlier),
    ...['active', 'shouldStopOnFail'].flatMap((key) => optional(step[key], 'boolean', `${path}.${key}`)),
    ...validateStepTemplate(template, parentType, `${path}.template`),
    ...findOperatorKeys(template, `${path}.template`).map((key) => `${key} is not allowed: keys must not begin with $`),
    ...validateConditions(filters, `${path}.filters`, { on: CONDITION_ON, templateFault }),
    ...validateStepReferences(filters, `${path}.filters`, earlier),
    ...validateMetadata(step, `${path}.metadata`),
    ...validateReplyCallback(step['replyCallback'], `${path}.replyCallback`),
  ];
}

function validateIdentity(step: Json, path: string, earlier: Place['earlier']): string[] {
  const { uuid } = step;
  const faults = ['name', 'stepId', 'uuid'].flatMap((key) => text(step[key], NAME_LENGTH, `${path}.${key}`));
  if (uuid === '') faults.push(`${path}.uuid must not be empty: leave it out to have one made`);
  const twin = typeof uuid === 'string' ? earlier.get(uuid) : undefined;
  if (twin !== undefined) faults.push(`${path}.uuid must differ from that of ${twin}`);
  return faults;
}

/** A condition on a step can only look back. */
function validateStepReferences(filters: unknown, path: string, earlier: Place['earlier']): string[] {
  return conditionsOf(filters).flatMap(({ condition, group, index }) => {
    const { on, step } = condition;
    if (on !== 'previousStep' || typeof step !== 'string' || step.trim() === '' || earlier.has(step)) return [];
    return [`${path}.${group}.children.${index}.step must be the uuid of an earlier step`];
  });
}

function validateMetadata(step: Json, path: string): string[] {
  const { metadata, template } = step;
  const type = isObject(template) ? template['type'] : undefined;
  if (type === 'digest' || type === 'delay') return validateStepMetadata(type, metadata, path);
  if (isAbsent(metadata)) return [];
  if (!isObject(metadata)) return [`${path} must be an object`];
  return [
    ...['amount', 'backoffAmount'].flatMap((key) => optional(metadata[key], 'number', `${path}.${key}`)),
    ...['backoff', 'updateMode'].flatMap((key) => optional(metadata[key], 'boolean', `${path}.${key}`)),
    ...['digestKey', 'delayPath'].flatMap((key) => text(metadata[key], NAME_LENGTH, `${path}.${key}`)),
    ...['unit', 'backoffUnit'].flatMap((key) => oneOf(metadata[key], TIME_UNITS, `${path}.${key}`)),
    ...oneOf(metadata['type'], [...new Set([...DIGEST_TYPES, ...DELAY_TYPES])], `${path}.type`),
    ...(isAbsent(metadata['timed']) || isObject(metadata['timed']) ? [] : [`${path}.timed must be an object`]),
  ];
}

function validateReplyCallback(value: unknown, path: string): string[] {
  if (isAbsent(value)) return [];
  if (!isObject(value)) return [`${path} must be an object`];
  return [...optional(value['active'], 'boolean', `${path}.active`), ...text(value['url'], MAX_URL, `${path}.url`)];
}

function templateFault(template: string): string | undefined {
  const result = parseTemplate(template);
  return result.ok ? undefined : result.message;
}

function hasCondition(filters: unknown): boolean {
  return conditionsOf(filters).length > 0;
}

function conditionsOf(filters: unknown): { condition: Json; group: number; index: number }[] {
  if (!Array.isArray(filters)) return [];
  return (filters as unknown[]).flatMap((entry, group) => {
    const children = isObject(entry) ? entry['children'] : undefined;
    if (!Array.isArray(children)) return [];
    return (children as unknown[]).flatMap((condition, index) =>
      isObject(condition) ? [{ condition, group, index }] : [],
    );
  });
}

function optional(value: unknown, type: 'boolean' | 'number', path: string): string[] {
  return isAbsent(value) || typeof value === type ? [] : [`${path} must be a ${type}`];
}

function text(value: unknown, maxLength: number, path: string): string[] {
  if (isAbsent(value)) return [];
  if (typeof value !== 'string') return [`${path} must be a string`];
  return value.length <= maxLength ? [] : [`${path} must be at most ${maxLength} characters long`];
}

function oneOf(value: unknown, allowed: readonly string[], path: string): string[] {
  if (isAbsent(value) || (typeof value === 'string' && allowed.includes(value))) return [];
  return [`${path} must be one of ${allowed.join(', ')}`];
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

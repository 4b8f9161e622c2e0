import { CONDITION_ON, validateConditions } from '#libs/conditions';
import { NAME_LENGTH, findOperatorKeys } from '#libs/http-kit';
import { isObjectId } from '#libs/persistence';
import { DELAY_TYPES, DIGEST_TYPES, TIME_UNITS, validateStepMetadata } from '#libs/schedule';
import { parseTemplate, validateStepTemplate } from '#libs/templates';

/** Most steps of a workflow (decisions 3.5). */
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
  if (!Array.isArray(steps)) return [`${property} must be an array of steps`];
  if (steps.length > MAX_STEPS) return [`${property} must contain at most ${MAX_STEPS} steps`];
  const earlier = new Map<string, string>();
  const faults = (steps as unknown[]).flatMap((step, index) => {
    const path = `${property}.${index}`;
    if (!isObject(step)) return [`${path} must be an object`];
    const found = [...validateStep(step, { path, earlier }), ...validateVariants(step, { path, earlier })];
    if (typeof step['uuid'] === 'string') earlier.set(step['uuid'], path);
    return found;
  });
  return faults.slice(0, MAX_FAULTS);
}

function validateVariants(step: Json, { path, earlier }: Place): string[] {
  const { variants } = step;
  if (isAbsent(variants)) return [];
  if (!Array.isArray(variants)) return [`${path}.variants must be an array of steps`];
  if (variants.length > MAX_VARIANTS) return [`${path}.variants must contain at most ${MAX_VARIANTS} steps`];
  const type = isObject(step['template']) ? step['template']['type'] : undefined;
  return (variants as unknown[]).flatMap((variant, index) => {
    const variantPath = `${path}.variants.${index}`;
    if (!isObject(variant)) return [`${variantPath} must be an object`];
    const faults = validateStep(variant, { path: variantPath, earlier }, typeof type === 'string' ? type : undefined);
    if (!hasCondition(variant['filters'])) {
      faults.push(`${variantPath}.filters must have a condition: it decides when the variant is used`);
    }
    return faults;
  });
}

function validateStep(step: Json, { path, earlier }: Place, parentType?: string): string[] {
  const { template, filters } = step;
  return [
    ...validateIdentity(step, path, earlier),
    ...['active', 'shouldStopOnFail'].flatMap((key) => optional(step[key], 'boolean', `${path}.${key}`)),
    ...validateStepTemplate(template, parentType, `${path}.template`),
    ...findOperatorKeys(template, `${path}.template`).map((key) => `${key} is not allowed: keys must not begin with $`),
    ...validateTemplateIds(template, `${path}.template`),
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

/** `_feedId` and `_layoutId` are what answers call `feedId` and `layoutId`; a step that was read may be sent back. */
function validateTemplateIds(template: unknown, path: string): string[] {
  if (!isObject(template)) return [];
  return ['_feedId', '_layoutId']
    .filter((key) => !isAbsent(template[key]) && !isObjectId(template[key]))
    .map((key) => `${path}.${key} must be an id of 24 hexadecimal digits`);
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

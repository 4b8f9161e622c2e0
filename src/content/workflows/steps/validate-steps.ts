import { sizeFault, typeFault } from '#libs/templates';
import { faultsOf, isGiven, isObject, type RawObject } from '#libs/validation';
import { Turns } from '#libs/worker-pool';
import { MAX_STEPS, MAX_VARIANTS, portableVariant, stepVariant } from './step.schema.js';

const MAX_FAULTS = 200;

interface Place {
  readonly path: string;
  readonly earlier: ReadonlyMap<string, string>;
  readonly schema: Schema;
}

type Schema = typeof stepVariant | typeof portableVariant;

/** Each text begins with the path of the fault: `steps.2.metadata.amount must be ...`. Never throws. */
export function validateSteps(steps: unknown, property: string): string[] {
  return [...faultsInParts(steps, property, stepVariant)].flat().slice(0, MAX_FAULTS);
}

/** For bodies of many megabytes: yields to other requests between steps. */
export function validateStepsInTurns(steps: unknown, property: string): Promise<string[]> {
  return inTurns(faultsInParts(steps, property, stepVariant));
}

/** For steps that name feeds and layouts by identifier. */
export function validatePortableStepsInTurns(steps: unknown, property: string): Promise<string[]> {
  return inTurns(faultsInParts(steps, property, portableVariant));
}

async function inTurns(parts: Iterable<string[]>): Promise<string[]> {
  const turns = new Turns();
  const faults: string[] = [];
  for (const part of parts) {
    faults.push(...part);
    await turns.offer();
  }
  return faults.slice(0, MAX_FAULTS);
}

function* faultsInParts(steps: unknown, property: string, schema: Schema): Generator<string[]> {
  if (!Array.isArray(steps) || steps.length > MAX_STEPS) {
    const problem = Array.isArray(steps) ? `must contain at most ${MAX_STEPS} steps` : 'must be an array of steps';
    yield [`${property} ${problem}`];
    return;
  }
  const earlier = new Map<string, string>();
  for (const [index, step] of (steps as unknown[]).entries()) {
    const path = `${property}.${index}`;
    yield faultsOfStep(step, { path, earlier, schema });
    if (!isObject(step)) continue;
    yield* faultsOfVariants(step, { path, earlier, schema });
    if (typeof step['uuid'] === 'string') earlier.set(step['uuid'], path);
  }
}

function* faultsOfVariants({ variants, template }: RawObject, { path, earlier, schema }: Place): Generator<string[]> {
  if (!isGiven(variants)) return;
  if (!Array.isArray(variants) || variants.length > MAX_VARIANTS) {
    const problem = Array.isArray(variants)
      ? `must contain at most ${MAX_VARIANTS} steps`
      : 'must be an array of steps';
    yield [`${path}.variants ${problem}`];
    return;
  }
  const type = isObject(template) ? template['type'] : undefined;
  for (const [index, variant] of (variants as unknown[]).entries()) {
    const variantPath = `${path}.variants.${index}`;
    yield faultsOfStep(variant, { path: variantPath, earlier, schema });
    if (isObject(variant)) yield faultsAsVariant(variant, type, variantPath);
  }
}

function faultsAsVariant({ template, filters }: RawObject, stepType: unknown, path: string): string[] {
  const ofType = typeof stepType === 'string' ? typeFault(template, stepType) : undefined;
  return [
    ...(ofType === undefined ? [] : [`${path}.template.type ${ofType}`]),
    ...(conditionsOf(filters).length > 0
      ? []
      : [`${path}.filters must have a condition: it decides when the variant is used`]),
  ];
}

function faultsOfStep(step: unknown, place: Place): string[] {
  const fault = isObject(step) ? sizeFault({ ...step, variants: undefined }) : undefined;
  if (fault !== undefined) return [`${place.path} ${fault}`];
  const faults = faultsOf(place.schema, step, place.path);
  return isObject(step) ? [...faults, ...faultsOfReferences(step, place)] : faults;
}

/** Uuids must differ, and a condition can only refer to earlier steps. */
function faultsOfReferences({ uuid, filters }: RawObject, { path, earlier }: Place): string[] {
  const twin = typeof uuid === 'string' ? earlier.get(uuid) : undefined;
  const unknown = conditionsOf(filters).filter(
    ({ condition: { on, step } }) =>
      on === 'previousStep' && typeof step === 'string' && step.trim() !== '' && !earlier.has(step),
  );
  return [
    ...(twin === undefined ? [] : [`${path}.uuid must differ from that of ${twin}`]),
    ...unknown.map(({ at }) => `${path}.filters.${at}.step must be the uuid of an earlier step`),
  ];
}

function conditionsOf(filters: unknown): { condition: RawObject; at: string }[] {
  const groups: readonly unknown[] = Array.isArray(filters) ? filters : [];
  return groups.flatMap((group, index) => {
    const children: unknown = isObject(group) ? group['children'] : undefined;
    return (Array.isArray(children) ? (children as unknown[]) : []).flatMap((condition, place) =>
      isObject(condition) ? [{ condition, at: `${index}.children.${place}` }] : [],
    );
  });
}

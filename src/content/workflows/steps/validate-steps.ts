import { STEP_TYPES } from '#libs/plugins';
import { judgedIn, type JudgedLanguage, sizeFault, TEMPLATE_LANGUAGES } from '#libs/templates';
import { faultsOf, isGiven, isObject, type RawObject } from '#libs/validation';
import { Turns } from '#libs/worker-pool';
import { MAX_STEPS, MAX_VARIANTS, portableVariant, stepVariant } from './step.schema.js';
import { typeFault } from './template.schema.js';

const MAX_FAULTS = 200;

/** How deep arms can stand in each other. */
const MAX_DEPTH = 5;

interface Checking {
  readonly schema: Schema;
  readonly language: JudgedLanguage;
}

interface Place extends Checking {
  readonly path: string;
  readonly earlier: ReadonlyMap<string, string>;
  readonly deciders: ReadonlyMap<unknown, Decider>;
}

/** An earlier step that later ones can stand in an arm of. */
interface Decider {
  readonly arms: readonly unknown[];
  readonly depth: number;
}

type Schema = typeof stepVariant | typeof portableVariant;

/** Each text begins with the path of the fault: `steps.2.metadata.amount must be ...`. Never throws. */
export function validateSteps(steps: unknown, property: string, workflow: object = {}): string[] {
  return [...faultsInParts(steps, property, { schema: stepVariant, language: languageIn(workflow) })]
    .flat()
    .slice(0, MAX_FAULTS);
}

/** For bodies of many megabytes: yields to other requests between steps. @param workflow whose language its templates are in */
export function validateStepsInTurns(steps: unknown, property: string, workflow: object): Promise<string[]> {
  return inTurns(faultsInParts(steps, property, { schema: stepVariant, language: languageIn(workflow) }));
}

/** Steps of a change: where it does not say the language, the stored workflow does, which reads the templates again. */
export function validateChangedStepsInTurns(steps: unknown, property: string, change: object): Promise<string[]> {
  const language = saysLanguage(change) ? languageIn(change) : 'any';
  return inTurns(faultsInParts(steps, property, { schema: stepVariant, language }));
}

/** For steps that name feeds and layouts by identifier. */
export function validatePortableStepsInTurns(steps: unknown, property: string, workflow: object): Promise<string[]> {
  return inTurns(faultsInParts(steps, property, { schema: portableVariant, language: languageIn(workflow) }));
}

export function saysLanguage(workflow: { templateLanguage?: unknown }): boolean {
  return workflow.templateLanguage !== undefined;
}

/** An unknown one is a fault of its own. */
function languageIn({ templateLanguage }: { templateLanguage?: unknown }): JudgedLanguage {
  if (templateLanguage === undefined || templateLanguage === null) return 'handlebars';
  return TEMPLATE_LANGUAGES.find((known) => known === templateLanguage) ?? 'any';
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

function* faultsInParts(steps: unknown, property: string, checking: Checking): Generator<string[]> {
  if (!Array.isArray(steps) || steps.length > MAX_STEPS) {
    const problem = Array.isArray(steps) ? `must contain at most ${MAX_STEPS} steps` : 'must be an array of steps';
    yield [`${property} ${problem}`];
    return;
  }
  const earlier = new Map<string, string>();
  const deciders = new Map<unknown, Decider>();
  for (const [index, step] of (steps as unknown[]).entries()) {
    const path = `${property}.${index}`;
    const place = { path, earlier, deciders, ...checking };
    const faults = faultsOfStep(step, place);
    yield faults;
    if (!isObject(step)) continue;
    yield* faultsOfVariants(step, place);
    if (typeof step['uuid'] === 'string') earlier.set(step['uuid'], path);
    // Noted also of a step with faults, so that those in its arms have none because of it.
    const named = armsOf(step, place, deciders);
    if (faults.length === 0) yield named;
  }
}

function* faultsOfVariants({ variants, template }: RawObject, place: Place): Generator<string[]> {
  const { path } = place;
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
    yield faultsOfStep(variant, { ...place, path: variantPath });
    if (isObject(variant)) yield faultsAsVariant(variant, type, variantPath);
  }
}

function faultsAsVariant({ template, filters, branch }: RawObject, stepType: unknown, path: string): string[] {
  const ofType = typeof stepType === 'string' ? typeFault(template, stepType) : undefined;
  return [
    ...(ofType === undefined ? [] : [`${path}.template.type ${ofType}`]),
    ...(isGiven(branch) ? [`${path}.branch must stand at the step, not at a variant`] : []),
    ...(conditionsOf(filters).length > 0
      ? []
      : [`${path}.filters must have a condition: it decides when the variant is used`]),
  ];
}

function faultsOfStep(step: unknown, place: Place): string[] {
  const { path, schema, language } = place;
  const size = language === 'any' ? undefined : language;
  const fault = isObject(step) ? sizeFault({ ...step, variants: undefined }, size) : undefined;
  if (fault !== undefined) return [`${path} ${fault}`];
  const faults = judgedIn(language, () => faultsOf(schema, step, path));
  return isObject(step) ? [...faults, ...faultsOfReferences(step, place)] : faults;
}

/** Uuids must differ, and a condition can only refer to earlier steps. */
function faultsOfReferences(step: RawObject, { path, earlier, deciders }: Place): string[] {
  const { uuid, filters } = step;
  const twin = typeof uuid === 'string' ? earlier.get(uuid) : undefined;
  const unknown = conditionsOf(filters).filter(
    ({ condition: { on, step } }) =>
      on === 'previousStep' && typeof step === 'string' && step.trim() !== '' && !earlier.has(step),
  );
  return [
    ...(twin === undefined ? [] : [`${path}.uuid must differ from that of ${twin}`]),
    ...unknown.map(({ at }) => `${path}.filters.${at}.step must be the uuid of an earlier step`),
    ...faultsOfPlace(step, path, deciders),
  ];
}

/** A step can stand only in an arm that an earlier step has. */
function faultsOfPlace({ branch }: RawObject, path: string, deciders: Place['deciders']): string[] {
  if (!isObject(branch) || typeof branch['step'] !== 'string') return [];
  const decider = deciders.get(branch['step']);
  if (decider === undefined) {
    return [`${path}.branch.step must be the stepId or uuid of an earlier step of the type branch or split`];
  }
  if (!decider.arms.includes(branch['arm'])) return [`${path}.branch.arm must be one of ${decider.arms.join(', ')}`];
  return decider.depth >= MAX_DEPTH ? [`${path}.branch must not be deeper than ${MAX_DEPTH} arms`] : [];
}

/** Notes the arms of a step for those after it. @returns what is wrong with their names */
function armsOf(step: RawObject, { path }: Place, deciders: Map<unknown, Decider>): string[] {
  const { template, metadata, variants, branch } = step;
  const declaration = isObject(template) ? STEP_TYPES.get(template['type']) : undefined;
  if (!isObject(template) || declaration?.arms === undefined) return [];
  const arms = declaration.arms({
    template,
    metadata: isObject(metadata) ? metadata : {},
    variants: Array.isArray(variants) ? variants.filter(isObject) : [],
  });
  const outer = isObject(branch) ? deciders.get(branch['step']) : undefined;
  for (const name of [step['uuid'], step['stepId']]) {
    if (typeof name === 'string') deciders.set(name, { arms, depth: (outer?.depth ?? 0) + 1 });
  }
  const isNamed = arms.every((arm) => typeof arm === 'string' && arm.trim() !== '');
  if (!isNamed) return [`${path} must have arms with names`];
  return new Set(arms).size === arms.length ? [] : [`${path} must have arms with different names: ${arms.join(', ')}`];
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

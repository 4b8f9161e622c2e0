import type { ClassConstructor } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { allOf, type Check, checkOf, type Rule } from './compiled-checks.js';
import { MAX_KEYS_IN_ORDER, TRANSFORM_OPTIONS } from './linear-transformer.js';

type Sent = Readonly<Record<string, unknown>>;

/** Only full validation can decide. */
const UNSURE = Symbol('unsure');

interface Property {
  readonly name: string;
  /** Absent: the value stays as sent. */
  readonly convert: ((value: unknown, sent: Sent) => unknown) | undefined;
  readonly passes: Check;
}

interface Plan {
  readonly type: ClassConstructor<object>;
  properties: ReadonlyMap<string, Property>;
  /** Why the class always needs full validation. */
  obstacle: string | undefined;
}

const PLAIN_TO_CLASS = 0;
const CHECKED_BY_FUNCTION: ReadonlySet<string> = new Set(['customValidation', 'isDefined']);
const plans = new WeakMap<object, Plan>();

/**
 * Functions compiled once from the metadata of class-validator and class-transformer.
 * @returns exactly the result of full validation; undefined if the value is faulty or only full validation can decide
 */
export function accept<T extends object>(type: ClassConstructor<T>, value: unknown): T | undefined {
  const plan = planOf(type);
  const built = build(plan, value ?? {});
  return built !== UNSURE && passes(plan, built) ? (built as T) : undefined;
}

/** Undefined for compiled classes. */
export function obstacleOf(type: ClassConstructor<object>): string | undefined {
  return planOf(type).obstacle;
}

function build({ type, properties, obstacle }: Plan, value: unknown): object | typeof UNSURE {
  if (obstacle !== undefined || !isPlain(value)) return UNSURE;
  const keys = Object.keys(value);
  if (keys.length > MAX_KEYS_IN_ORDER) return UNSURE;
  const built = new type() as Record<string, unknown>;
  for (const key of keys) {
    const property = properties.get(key);
    if (property === undefined) continue;
    const converted = property.convert === undefined ? value[key] : property.convert(value[key], value);
    if (converted === UNSURE) return UNSURE;
    built[key] = converted;
  }
  return built;
}

function passes({ properties }: Plan, built: object): boolean {
  for (const property of properties.values()) {
    if (!property.passes((built as Sent)[property.name], built)) return false;
  }
  return true;
}

/** class-transformer treats dates, buffers and collections differently. */
function isPlain(value: unknown): value is Sent {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function planOf(type: ClassConstructor<object>): Plan {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const plan: Plan = { type, properties: new Map(), obstacle: undefined };
  plans.set(type, plan);
  const properties = new Map<string, Property>();
  for (const [name, rules] of rulesOf(type)) {
    const property = propertyOf(type, name, rules);
    if (typeof property === 'string') plan.obstacle ??= `${name}: ${property}`;
    else properties.set(name, property);
  }
  plan.properties = properties;
  plan.obstacle ??= obstacleOfClass(type, properties);
  return plan;
}

function rulesOf(type: ClassConstructor<object>): Map<string, Rule[]> {
  const rules = new Map<string, Rule[]>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    rules.set(rule.propertyName, [...(rules.get(rule.propertyName) ?? []), rule]);
  }
  return rules;
}

function obstacleOfClass(
  type: ClassConstructor<object>,
  properties: ReadonlyMap<string, Property>,
): string | undefined {
  if (properties.size === 0) return 'has no rules';
  const storage = defaultMetadataStorage;
  const isPartial = storage.getExposedMetadatas(type).length + storage.getExcludedMetadatas(type).length > 0;
  if (isPartial || storage.getStrategy(type) !== 'none') return 'exposes or excludes properties';
  const unknown = Object.keys(new type()).find((name) => !properties.has(name));
  return unknown === undefined ? undefined : `${unknown}: has a default and no rule`;
}

/** @returns an obstacle as text */
function propertyOf(type: ClassConstructor<object>, name: string, rules: readonly Rule[]): Property | string {
  if (name in (type.prototype as object)) return 'the class has a member of this name';
  const conditions: Check[] = [];
  const checks: Check[] = [];
  let nested: Rule | undefined;
  for (const rule of rules) {
    if (rule.type === 'whitelistValidation') continue;
    if (rule.type === 'conditionalValidation') conditions.push(conditionOf(rule));
    else if (rule.type === 'nestedValidation') nested = rule;
    else {
      const check = CHECKED_BY_FUNCTION.has(rule.type) ? checkOf(rule) : undefined;
      if (check === undefined) return `${rule.name ?? rule.type} takes the full validation`;
      checks.push(check);
    }
  }
  const part = nestedPlanOf(type, name, nested !== undefined);
  if (typeof part === 'string') return part;
  if (part !== undefined) checks.push((value) => passesNested(part, value));
  const transform = transformOf(type, name);
  if (typeof transform === 'string') return transform;
  return { name, convert: conversionOf(part, transform), passes: under(conditions, allOf(checks)) };
}

function conditionOf({ constraints }: Rule): Check {
  const [condition] = constraints as [(object: object, value: unknown) => unknown];
  return (value, object) => Boolean(condition(object, value));
}

/** Skips values that do not meet the conditions. */
function under(conditions: readonly Check[], check: Check): Check {
  if (conditions.length === 0) return check;
  const isChecked = allOf(conditions);
  return (value, object) => !isChecked(value, object) || check(value, object);
}

function nestedPlanOf(type: ClassConstructor<object>, name: string, isValidated: boolean): Plan | undefined | string {
  const declared = defaultMetadataStorage.findTypeMetadata(type, name);
  if (declared === undefined) return isValidated ? 'is validated as a part without a class' : undefined;
  if (!isValidated) return 'is converted to a class without being validated';
  if (declared.options?.discriminator !== undefined || declared.typeFunction.length > 0) return 'has several classes';
  const part = declared.typeFunction() as ClassConstructor<object>;
  // Also covers String, Number and Date, which class-transformer converts differently.
  if (rulesOf(part).size === 0) return 'has a class without rules';
  const plan = planOf(part);
  return plan.obstacle ?? plan;
}

/** @returns undefined without transformations, an obstacle as text */
function transformOf(type: ClassConstructor<object>, name: string): Property['convert'] | string {
  const steps = defaultMetadataStorage.findTransformMetadatas(type, name, PLAIN_TO_CLASS);
  if (steps.length === 0) return undefined;
  if (steps.some(({ options }) => (options?.groups?.length ?? 0) > 0)) return 'is transformed for groups only';
  return (value, obj) =>
    steps.reduce<unknown>(
      (result, { transformFn }) =>
        transformFn({ value: result, key: name, obj, type: PLAIN_TO_CLASS, options: TRANSFORM_OPTIONS }),
      value,
    );
}

function conversionOf(part: Plan | undefined, transform: Property['convert']): Property['convert'] {
  if (part === undefined) return transform;
  if (transform === undefined) return (value) => convertNested(part, value);
  return (value, sent) => {
    const converted = convertNested(part, value);
    return converted === UNSURE ? UNSURE : transform(converted, sent);
  };
}

function convertNested(part: Plan, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (!Array.isArray(value)) return build(part, value);
  const list: unknown[] = [];
  for (const entry of value as unknown[]) {
    const built = build(part, entry);
    if (built === UNSURE) return UNSURE;
    list.push(built);
  }
  return list;
}

function passesNested(part: Plan, value: unknown): boolean {
  if (value === undefined) return true;
  if (!Array.isArray(value)) return isBuilt(part, value) && passes(part, value);
  for (const entry of value as unknown[]) if (!isBuilt(part, entry) || !passes(part, entry)) return false;
  return true;
}

/** A transformation can replace a part. */
function isBuilt({ type }: Plan, value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === type.prototype;
}

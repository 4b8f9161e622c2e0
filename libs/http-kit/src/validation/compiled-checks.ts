import { getMetadataStorage, type ValidationArguments } from 'class-validator';

/** class-validator's record of one decorator. */
export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

type Constraint = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidatorConstraints']>[number];

export type Check = (value: unknown, object: object) => boolean;

/** Uses class-validator's own function; undefined if only full validation can run the rule. */
export function checkOf(rule: Rule): Check | undefined {
  const constraints = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  if (rule.validateIf !== undefined || constraints.some((constraint) => constraint.async)) return undefined;
  return allOf(constraints.map((constraint) => checkOfConstraint(rule, constraint)));
}

export function allOf(checks: readonly Check[]): Check {
  const [first, second] = checks;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  return (value, object) => {
    for (const check of checks) if (!check(value, object)) return false;
    return true;
  };
}

function checkOfConstraint(rule: Rule, { name, instance }: Constraint): Check {
  const isSure = isReserved(name) ? (SURE[name]?.(rule.constraints) ?? never) : never;
  const passes = (value: unknown, whole: unknown, object: object): boolean => {
    if (isSure(value)) return true;
    const args: ValidationArguments = {
      targetName: object.constructor.name,
      property: rule.propertyName,
      object,
      value: whole,
      constraints: rule.constraints as unknown[],
    };
    return instance.validate(value, args) === true;
  };
  if (!rule.each) return (value, object) => passes(value, value, object);
  return (value, object) => {
    if (!Array.isArray(value)) return !isCollection(value) && passes(value, value, object);
    for (const item of value as unknown[]) if (!passes(item, value, object)) return false;
    return true;
  };
}

/** Such names are taken for class-validator's. */
export function isReserved(name: string): boolean {
  return Object.hasOwn(SURE, name);
}

function never(): boolean {
  return false;
}

/** class-validator checks each of their entries. */
function isCollection(value: unknown): boolean {
  return value instanceof Set || value instanceof Map;
}

/** Fast paths: class-validator counts characters by regular expressions. `IsValidBy` rejects these names. */
const SURE: Readonly<Record<string, (constraints: readonly unknown[]) => (value: unknown) => boolean>> = {
  isString: () => (value) => typeof value === 'string',
  // Surrogate pairs and variation selectors only make a text shorter than its length.
  maxLength:
    ([max]) =>
    (value) =>
      typeof value === 'string' && typeof max === 'number' && value.length <= max,
  minLength:
    ([min]) =>
    (value) =>
      typeof value === 'string' && min === 1 && value.charCodeAt(0) < FIRST_SURROGATE,
};

const FIRST_SURROGATE = 0xd800;

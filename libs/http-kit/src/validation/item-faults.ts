import { getMetadataStorage, type ValidationError } from 'class-validator';

/** If a type constraint fails, the others do not help. */
const KINDS: ReadonlySet<string> = new Set(['isString', 'isNumber', 'isInt', 'isBoolean', 'isObject', 'isMongoId']);

/** More than a response shows, even for a list with very many faulty entries. */
const MAX_FAULTS = 1_000;

interface ItemCheck {
  readonly name: string;
  readonly passes: (item: unknown) => boolean;
}

/**
 * Paths such as `deviceTokens.0 must be a string`: class-validator has one text for all entries, so each is checked
 * again. Excludes constraints on the list itself; skips lists that are too long.
 */
export function itemFaults({ property, constraints = {}, value, target }: ValidationError): Map<string, string[]> {
  if (!Array.isArray(value) || target === undefined) return new Map();
  const failed = itemChecks(target, property, value).filter(({ name }) => constraints[name] !== undefined);
  const faults = new Map(failed.map(({ name }) => [name, [] as string[]]));
  if (constraints['arrayMaxSize'] !== undefined) return faults;
  let found = 0;
  for (const [index, item] of (value as unknown[]).entries()) {
    const broken = failed.filter(({ passes }) => !passes(item)).map(({ name }) => name);
    const kind = broken.find((name) => KINDS.has(name));
    for (const name of kind === undefined ? broken : [kind]) {
      faults.get(name)?.push(textOfItem(constraints[name] ?? '', property, index));
      found += 1;
    }
    if (found >= MAX_FAULTS) break;
  }
  return faults;
}

function itemChecks(target: object, property: string, value: unknown[]): ItemCheck[] {
  const storage = getMetadataStorage();
  const args = { targetName: target.constructor.name, property, object: target, value };
  return storage
    .getTargetValidationMetadatas(target.constructor, '', false, false)
    .filter(({ propertyName, each }) => propertyName === property && each)
    .flatMap(({ constraintCls, constraints }) =>
      storage.getTargetValidatorConstraints(constraintCls).map(({ name, instance }) => ({
        name,
        passes: (item) => instance.validate(item, { ...args, constraints }) === true,
      })),
    );
}

function textOfItem(text: string, property: string, index: number): string {
  const about = text.replace(/^each value in /, '');
  const rest = about.startsWith(`${property} `) ? about.slice(property.length + 1) : about;
  return `${property}.${index} ${rest}`;
}

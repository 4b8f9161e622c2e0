import { getMetadataStorage, type ValidationError } from 'class-validator';

/** Constraints about what kind of value an entry is. Where one fails, the others say nothing that helps. */
const KINDS: ReadonlySet<string> = new Set(['isString', 'isNumber', 'isInt', 'isBoolean', 'isObject', 'isMongoId']);

/** Far more than a response shows, and few enough for a list of very many faulty entries. */
const MAX_FAULTS = 1_000;

/** One constraint that holds for each entry of a list. */
interface ItemCheck {
  readonly name: string;
  readonly passes: (item: unknown) => boolean;
}

/**
 * By constraint, the faults of the entries of a list, each beginning with its path: `deviceTokens.0 must be a string`.
 * class-validator gives one text for all entries and names none of them, so each entry is asked about again. Constraints
 * on the list itself are not in the answer; a list that is too long is not looked into.
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

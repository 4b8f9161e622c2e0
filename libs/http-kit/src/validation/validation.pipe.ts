import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { type ClassConstructor, type ClassTransformOptions, instanceToPlain } from 'class-transformer';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';
import { ValidationFailed } from '../errors/common.errors.js';
import { FAULT_SEPARATOR } from './decorators.js';
import { itemFaults } from './item-faults.js';

const PLAIN_TO_CLASS = 0;
/** Larger objects have their keys in the order of the class, others in the order sent. */
const MAX_KEYS_IN_ORDER = 200;

/** Defaults of `plainToInstance`. */
const TRANSFORM_OPTIONS = {
  enableCircularCheck: false,
  enableImplicitConversion: false,
  excludeExtraneousValues: false,
  exposeDefaultValues: false,
  exposeUnsetFields: true,
  ignoreDecorators: false,
};

/**
 * class-transformer removes duplicate keys in quadratic time: 190,000 keys would block the process for a minute. With
 * masses of keys, this visits only validated ones; the others would be dropped later. Values without a class are not
 * copied.
 */
class LinearExecutor extends TransformOperationExecutor {
  override transform(source: unknown, value: unknown, targetType: unknown, ...rest: unknown[]): unknown {
    return targetType === undefined ? value : super.transform(source, value, targetType, ...rest);
  }

  protected override getKeys(targetType: ClassConstructor<object>, object: object, isMap: boolean): string[] {
    if (Object.keys(object).length <= MAX_KEYS_IN_ORDER) return super.getKeys(targetType, object, isMap);
    const rules = getMetadataStorage().getTargetValidationMetadatas(targetType, '', true, false);
    const known = new Set(rules.map(({ propertyName }) => propertyName).filter((key) => Object.hasOwn(object, key)));
    return super.getKeys(targetType, Object.fromEntries([...known].map((key) => [key, true])), isMap);
  }
}

const linearTransformer = {
  plainToInstance<T>(type: ClassConstructor<T>, plain: unknown, options: ClassTransformOptions = {}): T | T[] {
    const executor = new LinearExecutor(PLAIN_TO_CLASS, { ...TRANSFORM_OPTIONS, ...options });
    return executor.transform(undefined, plain, type) as T | T[];
  },
  classToPlain: instanceToPlain,
};

/**
 * Skips the framework's two passes through whole values: keys that reach prototypes were rejected earlier, and neither
 * JSON nor the query parser makes sparse lists.
 */
class InputValidation extends ValidationPipe {
  /** A list in place of an object would become as many instances as it has entries. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isWanted = metadata.metatype === undefined || metadata.metatype === Array || metadata.metatype === Object;
    if (metadata.type === 'body' && Array.isArray(value) && !isWanted) {
      throw new ValidationFailed(['the body must be an object']);
    }
    return (await super.transform(value, metadata)) as unknown;
  }

  protected override stripProtoKeys(): void {
    // nothing is left to strip
  }

  protected override closeArrayGaps(): void {
    // there are none
  }
}

/**
 * class-validator searches the rules of all classes, for each object that it checks, for those that the class of the object inherits. What is
 * found stays the same, because rules are declared with their classes.
 */
function rememberRules(): void {
  const storage = getMetadataStorage();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const known = new Map<unknown, ReturnType<typeof find>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    const isPlain = !always && !strictGroups && groups === undefined;
    const rules = (isPlain ? known.get(target) : undefined) ?? find(target, schema, always, strictGroups, groups);
    if (isPlain) known.set(target, rules);
    return rules;
  };
}

rememberRules();

/** Drops unknown fields and reports every fault at once. */
export function createValidationPipe(): ValidationPipe {
  return new InputValidation({
    whitelist: true,
    transform: true,
    forbidUnknownValues: false,
    transformerPackage: linearTransformer,
    // For the texts of faults only: responses never show what was sent.
    validationError: { target: true, value: true },
    exceptionFactory: (errors) => new ValidationFailed(flattenFaults(errors)),
  });
}

/** Such as `steps.2.name must be a string`. */
export function flattenFaults(errors: readonly ValidationError[], parent = ''): string[] {
  return errors.flatMap((error) => {
    const ofItems = itemFaults(error);
    const found = constraintsOf(error).flatMap(([name, text]) => ofItems.get(name) ?? ownFaults(name, text, error));
    const own = (isAbsent(error) ? requiredFault(error, found) : found).map((text) => parent + text);
    return [...new Set(own), ...flattenFaults(error.children ?? [], `${parent}${error.property}.`)];
  });
}

function isAbsent({ value, constraints }: ValidationError): boolean {
  return value === undefined && constraints !== undefined;
}

/** `name is required and must be a string` replaces several texts; its length need not be mentioned. */
function requiredFault({ property }: ValidationError, faults: readonly string[]): string[] {
  const rule = faults.find((text) => text.startsWith(`${property} must be `) && !LENGTH.test(text));
  return [`${property} is required${rule === undefined ? '' : ` and${rule.slice(property.length)}`}`];
}

const LENGTH = /^\S+ must (?:be (?:longer|shorter) than|contain )/;

function constraintsOf({ constraints = {} }: ValidationError): [string, string][] {
  const { isArray } = constraints;
  return isArray === undefined ? Object.entries(constraints) : [['isArray', isArray]];
}

/** Rewords texts that do not begin with the name of the field. */
const REWORDED: Readonly<Record<string, (text: string, property: string) => string>> = {
  nestedValidation: (text, property) =>
    `${property} must be ${text.startsWith('each value in ') ? 'an array of objects' : 'an object'}`,
  arrayUnique: (_text, property) => `${property} must not contain an entry twice`,
  minDate: (text, property) => `${property} must not be earlier than ${lastWordsOf(text)}`,
  maxDate: (text, property) => `${property} must not be later than ${lastWordsOf(text)}`,
};

function ownFaults(constraint: string, text: string, { property }: ValidationError): string[] {
  // A list entry that is no object: the error's property is its index.
  if (constraint === 'nestedValidation' && /^\d+$/.test(property)) return [`${property} must be an object`];
  const reword = REWORDED[constraint];
  if (reword !== undefined && !text.startsWith(property)) return [reword(text, property)];
  return text
    .split(FAULT_SEPARATOR)
    .map((fault) => fault.replace(/^each value in /, ''))
    .map((fault) => (fault.startsWith(property) ? fault : `${property}: ${fault}`));
}

function lastWordsOf(text: string): string {
  return text.replace(/^.* is /, '');
}

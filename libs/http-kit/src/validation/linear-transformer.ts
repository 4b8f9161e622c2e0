import { type ClassConstructor, type ClassTransformOptions, instanceToPlain } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';

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

export const linearTransformer = {
  plainToInstance<T>(type: ClassConstructor<T>, plain: unknown, options: ClassTransformOptions = {}): T | T[] {
    const executor = new LinearExecutor(PLAIN_TO_CLASS, { ...TRANSFORM_OPTIONS, ...options });
    return executor.transform(undefined, plain, type) as T | T[];
  },
  classToPlain: instanceToPlain,
};

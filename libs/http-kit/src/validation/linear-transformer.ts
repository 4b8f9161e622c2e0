import { type ClassConstructor, type ClassTransformOptions, instanceToPlain } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';

const PLAIN_TO_CLASS = 0;
const FEW = 200;

/** What `plainToInstance` sets where the caller says nothing. */
const DEFAULTS = {
  enableCircularCheck: false,
  enableImplicitConversion: false,
  excludeExtraneousValues: false,
  exposeDefaultValues: false,
  exposeUnsetFields: true,
  ignoreDecorators: false,
};

/**
 * class-transformer compares each key of an object with all the others to leave out doubles, so that one body of 190,000
 * keys would keep the process busy for a minute. Of an object with masses of keys only those that its class validates are
 * looked at: the others are dropped afterwards in any case. What has no class stays as it is, where class-transformer
 * would copy it key by key.
 */
class LinearExecutor extends TransformOperationExecutor {
  override transform(source: unknown, value: unknown, targetType: unknown, ...rest: unknown[]): unknown {
    return targetType === undefined ? value : super.transform(source, value, targetType, ...rest);
  }

  protected override getKeys(targetType: ClassConstructor<object>, object: object, isMap: boolean): string[] {
    if (Object.keys(object).length <= FEW) return super.getKeys(targetType, object, isMap);
    const rules = getMetadataStorage().getTargetValidationMetadatas(targetType, '', true, false);
    const known = new Set(rules.map(({ propertyName }) => propertyName).filter((key) => Object.hasOwn(object, key)));
    return super.getKeys(targetType, Object.fromEntries([...known].map((key) => [key, true])), isMap);
  }
}

/** class-transformer as the validation pipe takes it, without its quadratic search. */
export const linearTransformer = {
  plainToInstance<T>(type: ClassConstructor<T>, plain: unknown, options: ClassTransformOptions = {}): T | T[] {
    const executor = new LinearExecutor(PLAIN_TO_CLASS, { ...DEFAULTS, ...options });
    return executor.transform(undefined, plain, type) as T | T[];
  },
  classToPlain: instanceToPlain,
};

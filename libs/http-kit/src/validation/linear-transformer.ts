import { type ClassConstructor, type ClassTransformOptions, instanceToPlain } from 'class-transformer';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';

const PLAIN_TO_CLASS = 0;
const CHUNK = 200;

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
 * keys would keep the process busy for a minute. Asked for a few keys at a time it does the same in time that grows with
 * their number. What has no class of its own stays as it is, where class-transformer would copy it key by key.
 */
class LinearExecutor extends TransformOperationExecutor {
  override transform(source: unknown, value: unknown, targetType: unknown, ...rest: unknown[]): unknown {
    return targetType === undefined ? value : super.transform(source, value, targetType, ...rest);
  }

  protected override getKeys(targetType: unknown, object: object, isMap: boolean): string[] {
    const own = Object.keys(object);
    if (own.length <= CHUNK) return super.getKeys(targetType, object, isMap);
    const keys = new Set<string>();
    for (let at = 0; at < own.length; at += CHUNK) {
      const some = Object.fromEntries(own.slice(at, at + CHUNK).map((key) => [key, true]));
      for (const key of super.getKeys(targetType, some, isMap)) keys.add(key);
    }
    return [...keys];
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

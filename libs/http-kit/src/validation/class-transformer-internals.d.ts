/** The parts of class-transformer that the package does not export. */
declare module 'class-transformer/cjs/TransformOperationExecutor.js' {
  import type { ClassConstructor } from 'class-transformer';

  export class TransformOperationExecutor {
    /** @param transformationType 0 is plain to class */
    constructor(transformationType: 0, options: Record<string, unknown>);
    transform(source: unknown, value: unknown, targetType: unknown, ...rest: unknown[]): unknown;
    /** The keys of `object` to transform. */
    protected getKeys(targetType: ClassConstructor<object>, object: object, isMap: boolean): string[];
  }
}

declare module 'class-transformer/cjs/storage.js' {
  import type { ClassTransformOptions, TransformationType, TransformFnParams } from 'class-transformer';

  interface TypeMetadata {
    readonly typeFunction: (options?: object) => unknown;
    /** The class that TypeScript emitted for the property. */
    readonly reflectedType: unknown;
    readonly options: { readonly discriminator?: unknown } | undefined;
  }

  interface TransformMetadata {
    readonly transformFn: (
      params: Omit<TransformFnParams, 'type' | 'options'> & {
        type: TransformationType | 0;
        options: ClassTransformOptions;
      },
    ) => unknown;
    readonly options: Pick<ClassTransformOptions, 'groups'> | undefined;
  }

  export const defaultMetadataStorage: {
    findTypeMetadata(target: object, propertyName: string): TypeMetadata | undefined;
    /** In the order in which they are applied. @param transformationType 0 is plain to class */
    findTransformMetadatas(target: object, propertyName: string, transformationType: 0): readonly TransformMetadata[];
    getExposedMetadatas(target: object): readonly unknown[];
    getExcludedMetadatas(target: object): readonly unknown[];
    getStrategy(target: object): 'none' | 'excludeAll' | 'exposeAll';
  };
}

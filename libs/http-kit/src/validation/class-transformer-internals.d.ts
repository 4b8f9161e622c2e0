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
  export const defaultMetadataStorage: {
    findTypeMetadata(target: object, propertyName: string): { readonly typeFunction: () => unknown } | undefined;
  };
}

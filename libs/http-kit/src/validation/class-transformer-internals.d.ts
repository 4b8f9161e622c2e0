/** The part of class-transformer that it does not export, as far as {@link LinearExecutor} needs it. */
declare module 'class-transformer/cjs/TransformOperationExecutor.js' {
  export class TransformOperationExecutor {
    /** @param transformationType 0 is plain to class */
    constructor(transformationType: 0, options: Record<string, unknown>);
    transform(source: unknown, value: unknown, targetType: unknown, ...rest: unknown[]): unknown;
    /** The keys of `object` that are looked at; nothing of it but its keys is read. */
    protected getKeys(targetType: unknown, object: object, isMap: boolean): string[];
  }
}

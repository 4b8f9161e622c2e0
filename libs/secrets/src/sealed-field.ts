/** A moved text cannot be opened. */
export interface SealedPlace {
  readonly collection: string;
  readonly id: string;
  /** Empty for records without an environment. */
  readonly environmentId: string;
  readonly field: string;
}

interface Id {
  toString(): string;
}

/** List every one of them where {@link SecretBox} is created. */
export class SealedField {
  /**
   * @param collection name in the store
   * @param path of the text in a record
   * @param boundAs path that the texts are bound to, if they move from one path to another
   */
  constructor(
    readonly collection: string,
    readonly path: string,
    private readonly boundAs = path,
  ) {}

  of(id: Id, environmentId: Id): SealedPlace {
    return {
      collection: this.collection,
      id: id.toString(),
      environmentId: environmentId.toString(),
      field: this.boundAs,
    };
  }

  textIn(record: object): string | undefined {
    let value: unknown = record;
    for (const key of this.path.split('.')) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = (value as Record<string, unknown>)[key];
    }
    return typeof value === 'string' ? value : undefined;
  }
}

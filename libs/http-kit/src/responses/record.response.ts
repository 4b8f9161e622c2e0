/** An id of the store. Responses show its 24 hexadecimal digits. */
interface StoredId {
  toHexString(): string;
}

/** The stored fields of every record of an environment. */
export interface RecordRow {
  readonly _id: StoredId;
  readonly _environmentId: StoredId;
  readonly _organizationId: StoredId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

// One literal per `fieldsOf`: spreading the base takes twenty times as long.

/** Fields of every record that belongs to an environment. */
export abstract class PlainRecordResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _environmentId: string;
  _organizationId: string;
  createdAt: Date;
  updatedAt: Date;

  /** The fields that this class declares, of a stored record. */
  static fieldsOf(row: RecordRow): PlainRecordResponse {
    const id = row._id.toHexString();
    return {
      _id: id,
      id,
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    };
  }
}

/** Fields of records that show their version as well. */
export abstract class RecordResponse extends PlainRecordResponse {
  __v: number;

  static override fieldsOf(row: RecordRow & { readonly __v: number }): RecordResponse {
    const id = row._id.toHexString();
    return {
      _id: id,
      id,
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    };
  }
}

/** Fields of records that show whether they are deleted as well. */
export abstract class DeletableRecordResponse extends RecordResponse {
  deleted: boolean;

  static override fieldsOf(
    row: RecordRow & { readonly __v: number; readonly deleted: boolean },
  ): DeletableRecordResponse {
    const id = row._id.toHexString();
    return {
      _id: id,
      id,
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      deleted: row.deleted,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    };
  }
}

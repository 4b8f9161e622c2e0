import type { Aggregate, Query, Schema } from 'mongoose';

export interface SoftDeleteFields {
  deleted: boolean;
  deletedAt?: Date;
  deletedBy?: string;
}

export const FILTERED_OPERATIONS = [
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'countDocuments',
  'distinct',
] as const;

/**
 * Hides deleted records from every query without `withDeleted: true`. The filter is the equality `deleted: false`,
 * which partial indexes with that expression serve.
 */
export function softDelete(schema: Schema): void {
  schema.add({
    deleted: { type: Boolean, default: false },
    deletedAt: { type: Date },
    deletedBy: { type: String },
  });
  schema.pre([...FILTERED_OPERATIONS], { document: false, query: true }, function (this: Query<unknown, unknown>) {
    if (this.getOptions()['withDeleted'] === true) return;
    if (this.getFilter()['deleted'] === undefined) this.setQuery({ ...this.getFilter(), deleted: false });
  });
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    if ((this.options as Record<string, unknown>)['withDeleted'] === true) return;
    this.pipeline().unshift({ $match: { deleted: false } });
  });
}

export function softDeleted(deletedBy: string, now: Date): { $set: Required<SoftDeleteFields> } {
  return { $set: { deleted: true, deletedAt: now, deletedBy } };
}

/** As responses show it; empty for other records. */
export function deletionOf({ deletedAt, deletedBy }: SoftDeleteFields): { deletedAt?: Date; deletedBy?: string } {
  return { ...(deletedAt && { deletedAt }), ...(deletedBy !== undefined && { deletedBy }) };
}

export const INCLUDE_DELETED: object = { withDeleted: true };

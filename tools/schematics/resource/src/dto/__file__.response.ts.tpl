import type { __Name__ } from '../__file__.schema.js';

/** What callers see of __aText__. */
export class __Name__Response {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example First */
  name: string;
  /** @example "To begin with" */
  description?: string;
  _environmentId: string;
  _organizationId: string;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: __Name__): __Name__Response {
    return Object.assign(new __Name__Response(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      name: row.name,
      ...(row.description !== undefined && { description: row.description }),
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}

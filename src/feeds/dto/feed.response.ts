import type { Feed } from '../feed.schema.js';

/** A feed (interface 2.4). */
export class FeedResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example Activities */
  name: string;
  /** @example Activities */
  identifier: string;
  _environmentId: string;
  _organizationId: string;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: Feed): FeedResponse {
    return Object.assign(new FeedResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      name: row.name,
      identifier: row.identifier,
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      deleted: row.deleted,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}

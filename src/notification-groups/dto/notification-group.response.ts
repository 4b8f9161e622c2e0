import type { NotificationGroup } from '../notification-group.schema.js';

/** A group that workflows are sorted into (interface 2.5). */
export class NotificationGroupResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example General */
  name: string;
  _environmentId: string;
  _organizationId: string;
  _parentId?: string;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: NotificationGroup): NotificationGroupResponse {
    return Object.assign(new NotificationGroupResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      name: row.name,
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      ...(row._parentId && { _parentId: row._parentId.toHexString() }),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}

import type { Environment } from '../environment.schema.js';

export class EnvironmentResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example Development */
  name: string;
  _organizationId: string;
  /** Public name, which browser clients use. @example aB3dE6gH9jK2 */
  identifier: string;
  /** The environment that this one is promoted from. */
  _parentId?: string;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: Environment): EnvironmentResponse {
    return Object.assign(new EnvironmentResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      name: row.name,
      _organizationId: row._organizationId.toHexString(),
      identifier: row.identifier,
      ...(row._parentId && { _parentId: row._parentId.toHexString() }),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}

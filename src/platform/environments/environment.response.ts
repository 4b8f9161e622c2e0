import { shown } from '#libs/http-kit';
import type { Environment } from './environment.schema.js';

export class EnvironmentResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /**
   * Display name.
   * @example Development
   */
  name: string;
  _organizationId: string;
  /** Public identifier, which browser clients use. @example aB3dE6gH9jK2 */
  identifier: string;
  /** Id of the parent environment: Development is the parent of Production. */
  _parentId?: string;
  /** Whether workflows, layouts and whatever else definitions describe change by promotion only. */
  isReadOnly: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;
}

export function showEnvironment(row: Environment): EnvironmentResponse {
  return shown(EnvironmentResponse, {
    _id: row._id.toHexString(),
    id: row._id.toHexString(),
    name: row.name,
    _organizationId: row._organizationId.toHexString(),
    identifier: row.identifier,
    _parentId: row._parentId?.toHexString(),
    isReadOnly: row.isReadOnly === true,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    __v: row.__v,
  });
}

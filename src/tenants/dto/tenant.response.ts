import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Tenant } from '../tenant.schema.js';

/** A tenant. */
export class TenantResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example acme */
  identifier: string;
  /** @example "Acme Corporation" */
  name: string;
  /** As it was sent. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { plan: 'gold' } })
  data?: Record<string, unknown>;
  _environmentId: string;
  _organizationId: string;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: Tenant): TenantResponse {
    return Object.assign(new TenantResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      identifier: row.identifier,
      name: row.name,
      ...(row.data !== undefined && { data: row.data }),
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}

import { ApiPropertyOptional } from '@nestjs/swagger';
import { RecordResponse, shower } from '#libs/http-kit';
import type { Tenant } from './tenant.schema.js';

export class TenantResponse extends RecordResponse {
  /**
   * Your identifier of the tenant.
   * @example acme
   */
  identifier: string;
  /**
   * Display name.
   * @example "Acme Corporation"
   */
  name: string;
  /** Free-form data as it was sent. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { plan: 'gold' } })
  data?: Record<string, unknown>;
  /**
   * With what links in its messages begin. Absent: the setting PUBLIC_URL.
   * @example https://news.acme.example
   */
  publicUrl?: string;
}

export const showTenant = shower(TenantResponse, (row: Tenant) => ({
  identifier: row.identifier,
  name: row.name,
  data: row.data,
  publicUrl: row.publicUrl,
}));

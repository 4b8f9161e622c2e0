import type { TenantContext } from '#libs/common';
import type { AuditEntryResponse } from './audit-entry.response.js';

/** An entry of the audit log is complete. */
export class AuditRecorded {
  constructor(
    readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly entry: AuditEntryResponse,
  ) {}
}

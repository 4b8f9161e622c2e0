import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, Audited, NeedsScope, Tenant } from '#libs/http-kit';
import { AuditLogPageResponse } from './audit-entry.response.js';
import { AuditLogFilter, ListAuditLogQuery } from './audit-log.dto.js';
import { AuditLogService } from './audit-log.service.js';

const JSON_LINES = 'application/x-ndjson';

@ApiTags('Audit log')
@Controller({ path: 'audit-log', version: '1' })
@NeedsScope('admin')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  /**
   * Lists the entries of the audit log, newest first.
   * @remarks Page by page: pass `next` as `cursor` until it is absent. No route changes or deletes entries; the setting `AUDIT_RETENTION_DAYS` says
   * how long they are kept.
   */
  @Get()
  @ApiData(200, AuditLogPageResponse)
  listAuditLog(@Tenant() tenant: TenantContext, @Query() query: ListAuditLogQuery): Promise<AuditLogPageResponse> {
    return this.log.list(tenant, query);
  }

  /**
   * Exports the audit log as JSON lines, newest first.
   * @remarks Each line is an entry, as the list shows it. The export itself becomes an entry.
   */
  @Get('export')
  @Audited('audit-log', { reads: true })
  @ApiProduces(JSON_LINES)
  @ApiOkResponse({ description: 'One entry per line', schema: { type: 'string' } })
  exportAuditLog(@Tenant() tenant: TenantContext, @Query() filter: AuditLogFilter): StreamableFile {
    return new StreamableFile(this.log.export(tenant, filter), {
      type: JSON_LINES,
      disposition: 'attachment; filename="audit-log.jsonl"',
    });
  }
}

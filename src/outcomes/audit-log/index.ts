export { AuditActorsService, originOf } from './audit-actors.js';
export type { AuditChange, AuditEntry, AuditValue } from './audit-entry.schema.js';
export { AuditEntryResponse } from './audit-entry.response.js';
export { AuditLogModule } from './audit-log.module.js';
export { type AuditOwner, AuditRecorded, type AuditResult, AuditTrail } from './audit-trail.js';

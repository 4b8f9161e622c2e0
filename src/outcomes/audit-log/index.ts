export type { AuditEntry } from './audit-entry.schema.js';
export { AuditEntryResponse } from './audit-entry.response.js';
export { AuditInterceptor } from './audit.interceptor.js';
export { AuditLogModule } from './audit-log.module.js';
export { AuditRecorded } from './audit-trail.js';
export { AuditTrail } from './audit-trail.js';

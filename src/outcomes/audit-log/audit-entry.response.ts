import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import {
  ACTOR_TYPES,
  AUDIT_OUTCOMES,
  AUDIT_WAYS,
  type AuditChange,
  type AuditEntry,
  type AuditOutcome,
} from './audit-entry.schema.js';

/** Who did it. */
export class AuditActorResponse {
  /** A person, an API key, an agent by its API key, a subscriber who answers a question, or a command that opens the store itself. */
  @ApiProperty({ enum: ACTOR_TYPES, example: 'user' })
  type: AuditEntry['actor']['type'];
  /** Id of the user, of the API key or of the record of the subscriber; `command line` of a command. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  id: string;
  /** Name of the user or of the API key, also of an agent, as it was then. @example Ada Lovelace */
  name?: string;
  /** Address of the user, as it was then. @example ada@example.com */
  email?: string;
}

/** What was changed. */
export class AuditedResourceResponse {
  /** Kind of resource. @example workflow */
  type: string;
  /** Its record id, or another id of its kind; absent if there is none, such as for several at once. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  id?: string;
  /** Its name, as it was then. Of a subscriber, your identifier while the subscriber exists. @example Order shipped */
  name?: string;
}

const ANY_VALUE = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];

/** A value that changed. */
export class AuditChangeResponse {
  /** The names that lead to the value, with dots; entries of lists are named by their `uuid`, their id or their position. @example steps.mail.template.subject */
  path: string;
  /** The value before; absent if there was none. */
  @ApiPropertyOptional({ oneOf: ANY_VALUE, nullable: true, example: 'Your order' })
  before?: unknown;
  /** The value after; absent if there is none. */
  @ApiPropertyOptional({ oneOf: ANY_VALUE, nullable: true, example: 'Your order {{order.number}}' })
  after?: unknown;
  /** Why the values are not stored: `secret`, or `personal` data of somebody whose data can be erased. */
  @ApiPropertyOptional({ enum: ['secret', 'personal'] })
  hidden?: 'secret' | 'personal';
  /** The texts are long: only the part in which they differ is stored. */
  shortened?: boolean;
}

/** An entry of the audit log. */
export class AuditEntryResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** When it began. */
  createdAt: Date;
  /** The operation, as this document names it. @example updateWorkflow */
  action: string;
  actor: AuditActorResponse;
  /** `console`: a person who signed in; `api`: an API key; `files`: the definitions that `herald push` and promotions send; `command`: a command that opens the store itself, such as `herald restore`; `mcp`: an agent that called a tool. */
  @ApiProperty({ enum: AUDIT_WAYS, example: 'console' })
  via: AuditEntry['via'];
  /** Address that the request came from; empty of a command. @example 203.0.113.7 */
  ip: string;
  /** Program that sent the request, in its own words, or the command; empty if it says nothing. @example Mozilla/5.0 */
  userAgent: string;
  /** Id of the request, as in the log of Herald; empty of a command. @example 0198f0c1-7c1e-7e7a-8a3d-0a1b2c3d4e5f */
  requestId: string;
  resource: AuditedResourceResponse;
  /**
   * `done`; `refused`: a wrong password or code, or a call of an agent that was refused; `failed`: an error, after which part of it may have been carried out. Absent while the request
   * lasts, and for good if Herald was stopped during it: then it may have been carried out.
   */
  @ApiPropertyOptional({ enum: AUDIT_OUTCOMES, example: 'done' })
  outcome?: AuditOutcome;
  /** Code of the error. @example sign_in_failed */
  errorCode?: string;
  /** What differs afterwards. Absent where no resource was compared. */
  @ApiPropertyOptional({ type: () => [AuditChangeResponse] })
  changes?: AuditChangeResponse[];
  /** Whether more values changed than the entry holds. */
  hasMoreChanges?: boolean;
}

/** A page of the audit log. */
export class AuditLogPageResponse {
  /** Newest first. */
  @ApiProperty({ type: () => [AuditEntryResponse] })
  entries: AuditEntryResponse[];
  /** The `cursor` of the next page. Absent on the last one. @example MTc5NTY0NzYwMDAwMC42NGYwYzFhMmIzYzRkNWU2ZjdhOGI5YzA */
  next?: string;
}

export type StoredEntry = Pick<
  AuditEntry,
  | '_id'
  | '_environmentId'
  | 'createdAt'
  | 'action'
  | 'actor'
  | 'via'
  | 'ip'
  | 'userAgent'
  | 'requestId'
  | 'resource'
  | 'outcome'
  | 'errorCode'
  | 'changes'
  | 'hasMoreChanges'
>;

/** @param name of the resource, where the entry has none */
export function showAuditEntry(row: StoredEntry, name = row.resource.name): AuditEntryResponse {
  const id = row._id.toHexString();
  const { type, id: resourceId } = row.resource;
  return shown(AuditEntryResponse, {
    _id: id,
    id,
    createdAt: row.createdAt,
    action: row.action,
    actor: shown(AuditActorResponse, { ...row.actor }),
    via: row.via,
    ip: row.ip,
    userAgent: row.userAgent,
    requestId: row.requestId,
    resource: shown(AuditedResourceResponse, {
      type,
      id: resourceId,
      name,
    }),
    ...(row.outcome && { outcome: row.outcome }),
    errorCode: row.errorCode,
    changes: row.changes?.map(showChange),
    hasMoreChanges: row.hasMoreChanges,
  });
}

function showChange(change: AuditChange): AuditChangeResponse {
  return shown(AuditChangeResponse, { ...change });
}

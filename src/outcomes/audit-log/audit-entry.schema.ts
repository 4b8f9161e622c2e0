import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';

export const ACTOR_TYPES = ['user', 'api_key', 'agent', 'command_line', 'subscriber'] as const;
export const AUDIT_WAYS = ['console', 'api', 'files', 'command', 'mcp', 'inbox', 'link', 'chat'] as const;
/** `refused`: a wrong password or code, or a call of an agent that was refused; `failed`: an error, after which part of it may have been carried out. */
export const AUDIT_OUTCOMES = ['done', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

export interface AuditActor {
  readonly type: (typeof ACTOR_TYPES)[number];
  readonly id: string;
  /** As it was then. */
  readonly name?: string;
  readonly email?: string;
}

export interface AuditedResource {
  readonly type: string;
  readonly id?: string;
  /** As it was then; never of people who can be erased. */
  readonly name?: string;
}

export type AuditValue = string | number | boolean | null;

export interface AuditChange {
  /** The names that lead to the value, with dots. */
  readonly path: string;
  readonly before?: AuditValue;
  readonly after?: AuditValue;
  /** Why the values are not stored. */
  readonly hidden?: 'secret' | 'personal';
  /** Only the part of the texts in which they differ is stored. */
  readonly shortened?: true;
}

/** Written before what it is about, and once more after it. */
@Schema({ collection: 'auditEntries', timestamps: true })
export class AuditEntry extends TenantRecord {
  /** Name of the operation in the API document. */
  @Prop({ type: String, required: true })
  action: string;

  @Prop({ type: Object, required: true })
  actor: AuditActor;

  @Prop({ type: String, required: true, enum: AUDIT_WAYS })
  via: (typeof AUDIT_WAYS)[number];

  @Prop({ type: String, required: true })
  ip: string;

  /** Empty if the client says nothing. */
  @Prop({ type: String, default: '' })
  userAgent: string;

  @Prop({ type: String, required: true })
  requestId: string;

  @Prop({ type: Object, required: true })
  resource: AuditedResource;

  /** Absent while it lasts, and for good if the process ended meanwhile. */
  @Prop({ type: String, enum: AUDIT_OUTCOMES })
  outcome?: AuditOutcome;

  /** Code of the error. */
  @Prop({ type: String })
  errorCode?: string;

  @Prop({ type: [MongooseSchema.Types.Mixed], default: undefined })
  changes?: AuditChange[];

  /** There are more, which are not stored. */
  @Prop({ type: Boolean })
  hasMoreChanges?: boolean;

  /** Webhooks have not been told. */
  @Prop({ type: Date })
  untoldSince?: Date;

  @Prop({ type: Date })
  expireAt?: Date;
}

export const AuditEntrySchema = defineSchema(AuditEntry);
shardBy(AuditEntrySchema, '_environmentId');
const NEWEST = { createdAt: -1, _id: -1 } as const;
// the list, and that of a period
AuditEntrySchema.index({ _environmentId: 1, ...NEWEST });
AuditEntrySchema.index({ _environmentId: 1, 'resource.type': 1, ...NEWEST });
// the history of a resource
AuditEntrySchema.index({ _environmentId: 1, 'resource.id': 1, ...NEWEST });
// what somebody did
AuditEntrySchema.index({ _environmentId: 1, 'actor.id': 1, ...NEWEST });
// of which webhooks have yet to be told
AuditEntrySchema.index({ untoldSince: 1 }, { partialFilterExpression: { untoldSince: { $exists: true } } });
// retention
AuditEntrySchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

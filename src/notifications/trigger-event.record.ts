import { Schema, type Types } from 'mongoose';
import type { Claimable } from '#libs/work';

/** A subscriber as a trigger names it: with more than an id it is created or updated. */
export interface RecipientEntry {
  subscriberId: string;
  email?: string;
  firstName?: string;
  lastName?: string;
  phone?: string;
  avatar?: string;
  locale?: string;
  data?: Record<string, unknown>;
  channels?: { providerId: string; integrationIdentifier?: string; credentials: Record<string, unknown> }[];
}

/** Whom an event goes to: the listed ones first, then the topics' members; or everybody. */
export interface RecipientSources {
  list: RecipientEntry[];
  topics: string[];
  everybody?: true;
}

/** A file that goes with an event; its bytes lie in the attachment store. */
export interface AttachmentRef {
  _id: Types.ObjectId;
  name: string;
  mime: string;
  size: number;
  /** Channels that it is for; absent: all that can carry files. */
  channels?: string[];
}

/** How far an expansion has come: everything before is stored. */
export interface Checkpoint {
  /** 0 is the list, or everybody; 1 is the topics. */
  source: number;
  /** Place in the list, or where the stream of members goes on. */
  after?: number | string;
}

/** `failed`: workers died over its expansion again and again, so it was set aside. */
export const EVENT_STATUSES = ['expanding', 'expanded', 'canceled', 'failed'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** One accepted trigger. Payload and overrides are kept here once and nowhere else. */
export interface TriggerEventRecord extends Claimable {
  _environmentId: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _userId: Types.ObjectId;
  _apiKeyId: Types.ObjectId;
  transactionId: string;
  /** The workflow. */
  _templateId: Types.ObjectId;
  /** The immutable version of the workflow that this event runs. */
  snapshotId: string;
  /** The trigger's identifier. */
  name: string;
  recipients: RecipientSources;
  payload: Record<string, unknown>;
  overrides: Record<string, unknown>;
  /** Identifier of the tenant. */
  tenant?: string;
  actor?: RecipientEntry;
  attachments?: AttachmentRef[];
  status: EventStatus;
  lane?: 'expand';
  /** How often workers have begun to expand it, less one: above 0 somebody may have died over it. */
  claims: number;
  checkpoint: Checkpoint;
  /** Why it was set aside. */
  error?: string;
  /** How many notifications were made. */
  expanded: number;
  createdAt: Date;
  updatedAt: Date;
  expireAt?: Date;
}

export const TRIGGER_EVENT_MODEL = 'TriggerEvent';

export const TriggerEventSchema = new Schema(
  {},
  { collection: 'triggerEvents', strict: false, versionKey: false, timestamps: false },
);
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// idempotent accept; cancel
TriggerEventSchema.index({ _environmentId: 1, transactionId: 1 }, { unique: true });
// claim, oldest first; next due time
TriggerEventSchema.index({ wakeAt: 1 }, waiting);
// claim of each environment's share under a backlog
TriggerEventSchema.index({ lane: 1, _environmentId: 1, wakeAt: 1 }, waiting);
// retention
TriggerEventSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

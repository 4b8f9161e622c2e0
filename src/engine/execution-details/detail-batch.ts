import { Types } from 'mongoose';
import { type DetailSource, type DetailStatus, usualStatusOf } from './detail.enums.js';
import type { ExecutionDetailBatch, StoredDetail } from './execution-detail.schema.js';
import { toRawText } from './redact-secrets.js';

const DAY_MS = 86_400_000;

export interface NewDetail {
  readonly jobId: Types.ObjectId;
  /** Type of the step: a channel, or trigger, digest, delay. */
  readonly channel?: string;
  /** One of `DETAIL`, optionally followed by `: <providerId>`, or a provider's own text. */
  readonly detail: string;
  readonly status?: DetailStatus;
  /** Default: Internal. */
  readonly source?: DetailSource;
  readonly messageId?: Types.ObjectId;
  readonly providerId?: string;
  readonly isTest?: boolean;
  readonly isRetry?: boolean;
  /** Stored as JSON text with secrets masked. */
  readonly raw?: unknown;
  readonly webhookStatus?: string;
  readonly at?: Date;
}

export interface DetailBatch {
  /** Derived from the content, so that a detail written repeatedly is stored once. */
  readonly id?: Types.ObjectId;
  readonly organizationId: Types.ObjectId;
  readonly environmentId: Types.ObjectId;
  readonly notificationId: Types.ObjectId;
  readonly workflowId: Types.ObjectId;
  readonly subscriberId: Types.ObjectId;
  readonly transactionId: string;
  readonly entries: readonly NewDetail[];
}

/** One detail about a message, by whoever has learned it. */
export function batchOfMessage(
  id: Types.ObjectId,
  message: NotedMessage,
  detail: Omit<NewDetail, 'jobId' | 'messageId' | 'channel'>,
): DetailBatch {
  return {
    id,
    organizationId: message._organizationId,
    environmentId: message._environmentId,
    notificationId: message._notificationId,
    workflowId: message._templateId,
    subscriberId: message._subscriberId,
    transactionId: message.transactionId,
    entries: [{ jobId: message._jobId, messageId: message._id, channel: message.channel, ...detail }],
  };
}

type NotedMessage = Readonly<
  Record<
    '_id' | '_organizationId' | '_environmentId' | '_notificationId' | '_templateId' | '_subscriberId' | '_jobId',
    Types.ObjectId
  > &
    Record<'transactionId' | 'channel', string>
>;

/**
 * Without Mongoose, because thousands are written each second.
 * @param days of retention, 0: indefinitely
 */
export function toStored(batch: DetailBatch, days: number, now: Date): ExecutionDetailBatch {
  return {
    _id: batch.id ?? new Types.ObjectId(),
    _organizationId: batch.organizationId,
    _environmentId: batch.environmentId,
    _notificationId: batch.notificationId,
    _notificationTemplateId: batch.workflowId,
    _subscriberId: batch.subscriberId,
    transactionId: batch.transactionId,
    entries: batch.entries.map((entry) => toStoredDetail(entry, now)),
    ...(days > 0 && { expireAt: expiryOf(now, days) }),
    deleted: false,
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
}

/** @param from start of the retention @param days of retention */
export function expiryOf(from: Date, days: number): Date {
  return new Date(from.getTime() + days * DAY_MS);
}

function toStoredDetail(entry: NewDetail, now: Date): StoredDetail {
  return {
    _id: new Types.ObjectId(),
    _jobId: entry.jobId,
    ...(entry.messageId && { _messageId: entry.messageId }),
    ...(entry.providerId !== undefined && { providerId: entry.providerId }),
    ...(entry.channel !== undefined && { channel: entry.channel }),
    detail: entry.detail,
    source: entry.source ?? 'Internal',
    status: entry.status ?? usualStatusOf(entry.detail),
    ...(entry.isTest === true && { isTest: true }),
    ...(entry.isRetry === true && { isRetry: true }),
    ...(entry.raw !== undefined && { raw: toRawText(entry.raw) }),
    ...(entry.webhookStatus !== undefined && { webhookStatus: entry.webhookStatus }),
    createdAt: entry.at ?? now,
  };
}

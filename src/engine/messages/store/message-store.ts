import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo, Types } from 'mongoose';
import { AppConfig } from '#libs/config';
import type { TenantContext } from '#libs/common';
import {
  bySize,
  duplicatePlaces,
  partialUpdate,
  sharedSize,
  type TenantModel,
  objectIdFrom,
  toObjectId,
} from '#libs/persistence';
import { FeedSignals } from '../live/feed-signals.js';
import type { MessageStatus } from '../records/message.enums.js';
import { Message, type Caught, type MessageContent } from '../records/message.schema.js';
import { Replacements, type Replacing } from './replacements.js';

const NOT_ACCEPTED: MessageStatus[] = ['pending', 'warning', 'error'];

export type MessageState = Pick<Message, 'seen' | 'read' | 'status'>;

const PROGRESS = [
  'channel',
  'status',
  'seen',
  'read',
  'lastSeenDate',
  'lastReadDate',
  'lastActionDate',
  'cta',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Message)[];

/** What recipients have done with a message, and what providers have reported. */
export type MessageProgress = Pick<Message, (typeof PROGRESS)[number]>;

/** What deliveries write and ask of messages. */
@Injectable()
export class MessageStore {
  private readonly retention: Retention;

  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly replacements: Replacements,
    private readonly signals: FeedSignals,
    config: AppConfig,
  ) {
    this.retention = { inAppDays: config.get('RETENTION_DAYS_IN_APP'), otherDays: config.get('RETENTION_DAYS') };
  }

  /**
   * Writes messages of any environments in as few calls as their size allows, ignoring those of an earlier run of the
   * step.
   * @returns the ids of those that were stored already
   */
  async insert(messages: readonly NewMessage[]): Promise<Set<string>> {
    const known = new Set<string>();
    if (messages.length === 0) return known;
    const rows = messages.map((message) => newRow(message, this.retention));
    // Each message has a copy of its event's payload, so one write of all could block the store.
    for (const portion of bySize(rows, sizeOf)) for (const id of await this.insertPortion(portion)) known.add(id);
    // Includes those of an earlier run, which may have ended before this.
    await this.replacements.apply(rows);
    this.signals.stored(rows);
    return known;
  }

  /** For runs that were canceled meanwhile. */
  async withdraw(messages: readonly Replacing[]): Promise<void> {
    if (messages.length === 0) return;
    const _environmentId = { $in: messages.map((message) => message._environmentId) };
    await this.messages.collection.deleteMany({ _environmentId, _id: { $in: messages.map(({ _id }) => _id) } });
    await this.replacements.undo(messages);
    this.signals.changed(
      messages.map((message) => ({
        environmentId: message._environmentId.toHexString(),
        subscriberId: message._subscriberId.toHexString(),
        unseen: true,
        unread: true,
      })),
    );
  }

  /** One call to the store. Skips failures of messages that the provider already has from another attempt. */
  async updateOutcomes(outcomes: readonly MessageOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const updatedAt = new Date();
    const writes = outcomes.map(
      ({ environmentId, subscriberId, messageId, ...changes }): mongo.AnyBulkWriteOperation => {
        const update = partialUpdate({ ...changes, updatedAt });
        const isFailure = changes.status === 'error' || changes.status === 'warning';
        const filter = {
          _id: messageId,
          _environmentId: environmentId,
          _subscriberId: subscriberId,
          ...(isFailure && { status: { $in: NOT_ACCEPTED } }),
        };
        return { updateOne: { filter, update } };
      },
    );
    await this.messages.collection.bulkWrite(writes, { ordered: false });
  }

  /** The ids of those that a provider has accepted, whatever the recipient has done with them since. */
  async acceptedAmong(messages: readonly StoredMessage[]): Promise<Set<string>> {
    const rows = await this.messages.collection
      .find({
        _environmentId: { $in: messages.map(({ tenant }) => toObjectId(tenant.environmentId)) },
        _subscriberId: { $in: messages.map(({ origin }) => toObjectId(origin.subscriberRecordId)) },
        _id: { $in: messages.map(({ messageId }) => toObjectId(messageId)) },
        deleted: { $in: [false, true] },
        status: { $nin: NOT_ACCEPTED },
      })
      .project<Pick<Message, '_id'>>({ _id: 1 })
      .toArray();
    return new Set(rows.map(({ _id }) => _id.toHexString()));
  }

  async statesOf(tenant: TenantContext, messageIds: readonly string[]): Promise<Map<string, MessageState>> {
    const rows = await this.messages.byIds(tenant, messageIds, { fields: ['seen', 'read', 'status'] });
    return new Map([...rows].map(([id, { seen, read, status }]) => [id, { seen, read, status }]));
  }

  /** Also of messages that their recipients have deleted. */
  async progressOf(tenant: TenantContext, messageIds: readonly string[]): Promise<MessageProgress[]> {
    return [...(await this.messages.byIds(tenant, messageIds, { fields: PROGRESS, withDeleted: true })).values()];
  }

  private async insertPortion(rows: Message[]): Promise<string[]> {
    try {
      await this.messages.collection.insertMany(rows, { ordered: false, ignoreUndefined: true });
      return [];
    } catch (error) {
      return duplicatePlaces(error).map((place) => rows[place]?._id.toHexString() ?? '');
    }
  }
}

const BARE_BYTES = 800;

function sizeOf({ content, payload, overrides, caught }: Message): number {
  const ofContent = (typeof content === 'string' ? content.length : 0) + (caught?.html?.length ?? 0);
  return BARE_BYTES + ofContent + (payload ? sharedSize(payload) : 0) + (overrides ? sharedSize(overrides) : 0);
}

/** As events name it. */
interface StoredMessage {
  readonly messageId: string;
  readonly tenant: Pick<TenantContext, 'environmentId'>;
  readonly origin: { readonly subscriberRecordId: string };
}

export interface MessageKey {
  readonly notificationId: Types.ObjectId;
  readonly jobId: Types.ObjectId;
  /** Distinguishes messages of one step: a device token or a webhook URL. */
  readonly target?: string;
}

/**
 * Deterministic: a step repeated after a crash writes the same message, and details can name it before it is stored.
 */
export function messageIdFor({ notificationId, jobId, target = '' }: MessageKey): Types.ObjectId {
  const digest = createHash('sha256').update(notificationId.id).update(jobId.id).update(target).digest();
  return objectIdFrom(notificationId, digest);
}

const DAY_MS = 86_400_000;

/** Without values that are equal in every new row. `messageIdFor` gives the `_id`. Undefined counts as absent. */
export type NewMessage = Omit<
  Message,
  | 'seen'
  | 'read'
  | 'archived'
  | 'opens'
  | 'clicks'
  | 'deleted'
  | 'updatedAt'
  | 'expireAt'
  | '__v'
  | 'wakeAt'
  | 'lease'
  | 'takenUp'
>;

/** Days; 0 keeps messages indefinitely. */
interface Retention {
  readonly inAppDays: number;
  readonly otherDays: number;
}

/** Absent fields are kept. */
export interface MessageOutcome {
  readonly environmentId: Types.ObjectId;
  /** Record id. */
  readonly subscriberId: Types.ObjectId;
  readonly messageId: Types.ObjectId;
  readonly status?: MessageStatus;
  readonly content?: MessageContent;
  readonly subject?: string;
  readonly title?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly providerId?: string;
  readonly identifier?: string;
  readonly caught?: Caught;
  /** Null removes it. */
  readonly errorId?: string | null;
  /** Null removes it. */
  readonly errorText?: string | null;
}

/** Without Mongoose, because thousands are written each second. Undefined values must not be stored. */
function newRow(message: NewMessage, { inAppDays, otherDays }: Retention): Message {
  const { channel, createdAt } = message;
  const days = channel === 'in_app' ? inAppDays : otherDays;
  return {
    ...message,
    seen: false,
    read: false,
    archived: false,
    ...(days > 0 && { expireAt: new Date(createdAt.getTime() + days * DAY_MS) }),
    deleted: false,
    updatedAt: createdAt,
    __v: 0,
  };
}

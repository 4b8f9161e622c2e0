import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { CHANNELS } from '#libs/channels';
import { CLOCK_SKEW_MS } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import type { MessageStatus } from '../records/message.enums.js';
import { Message } from '../records/message.schema.js';
import { messageIdFor } from './message-store.js';

const FIELDS = [
  '_id',
  '_environmentId',
  '_notificationId',
  '_jobId',
  '_subscriberId',
  'channel',
  'providerId',
] as const satisfies readonly (keyof Message)[];

const OF_THE_PROVIDER = { _notificationId: 1, _jobId: 1, identifier: 1 };

/** Providers and recipients may have reported something by now. */
const ACCEPTED: MessageStatus[] = ['sent', 'delivered', 'bounced', 'opened', 'clicked', 'complained'];

export type SentMessage = Pick<Message, (typeof FIELDS)[number]>;

type Notification = Pick<Message, '_id' | '_environmentId' | '_subscriberId'> & { readonly createdAt: Date };

/**
 * Accepted by a provider or in a feed, including deleted ones. For runs whose state may be older than their messages.
 */
@Injectable()
export class SentMessages {
  constructor(@InjectModel(Message.name) private readonly messages: TenantModel<Message>) {}

  async ofNotifications(notifications: readonly Notification[]): Promise<SentMessage[]> {
    if (notifications.length === 0) return [];
    const ids = new Set(notifications.map(({ _id }) => _id.toHexString()));
    const since = Math.min(...notifications.map(bornAt)) - CLOCK_SKEW_MS;
    const found = await this.find({
      _environmentId: { $in: notifications.map(({ _environmentId }) => _environmentId) },
      _subscriberId: { $in: notifications.map(({ _subscriberId }) => _subscriberId) },
      channel: { $in: [...CHANNELS] },
      createdAt: { $gte: new Date(since) },
    }).toArray();
    return found.filter(({ _notificationId }) => ids.has(_notificationId.toHexString()));
  }

  /**
   * The provider's id of the newest chat message of an event to one address of a subscriber.
   * @param target identifies the address within a step
   */
  async identifierOf(
    { _environmentId, _subscriberId }: Pick<Message, '_environmentId' | '_subscriberId'>,
    transactionId: string,
    target: string,
  ): Promise<string | undefined> {
    const where = { _environmentId, _subscriberId, channel: 'chat', deleted: { $in: [false, true] }, transactionId };
    const rows = await this.messages.collection
      .find({ ...where, identifier: { $exists: true } })
      .project<Pick<Message, '_id' | '_notificationId' | '_jobId' | 'identifier'>>(OF_THE_PROVIDER)
      .sort({ createdAt: -1 })
      .toArray();
    return rows.find(({ _id, _notificationId: notificationId, _jobId: jobId }) =>
      messageIdFor({ notificationId, jobId, target }).equals(_id),
    )?.identifier;
  }

  /** In batches. */
  async *ofTransaction(
    { _environmentId, transactionId }: Pick<Message, '_environmentId' | 'transactionId'>,
    batch: number,
  ): AsyncGenerator<SentMessage[]> {
    const sent: SentMessage[] = [];
    for await (const message of this.find({ _environmentId, transactionId }).batchSize(batch)) {
      sent.push(message);
      if (sent.length === batch) yield sent.splice(0);
    }
    if (sent.length > 0) yield sent;
  }

  private find(where: mongo.Filter<mongo.Document>): mongo.FindCursor<SentMessage> {
    return this.messages.collection
      .find({ ...where, deleted: { $in: [false, true] }, status: { $in: ACCEPTED } })
      .project<SentMessage>(Object.fromEntries(FIELDS.map((field) => [field, 1])));
  }
}

/** Where an event was expanded again, its messages may be older than the record: its id has the time of the event. */
function bornAt({ _id, createdAt }: Notification): number {
  return Math.min(_id.getTimestamp().getTime(), createdAt.getTime());
}

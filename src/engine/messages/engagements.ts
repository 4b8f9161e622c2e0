import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import type { TenantModel } from '#libs/persistence';
import { EventBus } from '#libs/common';
import { REPORTED_EVENTS, type ReportedMessage, toUpdate } from './message-reports.js';
import { type Engagement, Message } from './message.schema.js';
import { AwaitedMessagesChanged } from './messages.events.js';

/** Of each kind, for one message. Further ones change nothing but the status. */
const MAX_ENGAGEMENTS = 50;
const LISTS = { opened: 'opens', clicked: 'clicks' } as const;
export type EngagementKind = keyof typeof LISTS;

/** What recipients do with mails that they got, as Herald sees it itself. */
@Injectable()
export class Engagements {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly events: EventBus,
  ) {}

  /**
   * One call to the store. The status of the message follows what persons do.
   * @returns false if this changed nothing: the message has as many as it keeps, or is gone
   */
  async record(message: ReportedMessage, kind: EngagementKind, engagement: Engagement): Promise<boolean> {
    const { _id, _environmentId, _subscriberId } = message;
    const list = LISTS[kind];
    const room = { [`${list}.${MAX_ENGAGEMENTS - 1}`]: { $exists: false } };
    const $push = { [list]: engagement } as mongo.PushOperator<mongo.Document>;
    const added: mongo.AnyBulkWriteOperation = {
      updateOne: { filter: { _id, _environmentId, _subscriberId, ...room }, update: { $push } },
    };
    const moved = engagement.machine ? [] : [toUpdate({ message, status: kind }, engagement.at)];
    const { modifiedCount } = await this.messages.collection.bulkWrite([...moved, added], { ordered: true });
    if (message.awaited === true && !engagement.machine) {
      const tenant = { environmentId: _environmentId.toHexString() };
      await this.events.publish(new AwaitedMessagesChanged(tenant, REPORTED_EVENTS, [message]));
    }
    return modifiedCount > 0;
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import type { TenantModel } from '#libs/persistence';
import { MessageReports, type ReportedMessage } from './message-reports.js';
import { type Engagement, Message } from './message.schema.js';

/** Of each kind, for one message. Programs leave room for persons. */
const MAX_ENGAGEMENTS = 100;
const MAX_WHILE_MACHINE = 50;
const LISTS = { opened: 'opens', clicked: 'clicks' } as const;
export type EngagementKind = keyof typeof LISTS;

/** What recipients do with mails that they got, as Herald sees it itself. */
@Injectable()
export class Engagements {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly reports: MessageReports,
  ) {}

  /**
   * The status of the message follows what persons do, as it follows the reports of providers.
   * @returns false if it was not added: the message has as many as it keeps, or is gone
   */
  async record(message: ReportedMessage, kind: EngagementKind, engagement: Engagement): Promise<boolean> {
    const { machine, at } = engagement;
    const { _id, _environmentId, _subscriberId } = message;
    const list = LISTS[kind];
    const last = (machine ? MAX_WHILE_MACHINE : MAX_ENGAGEMENTS) - 1;
    const $push = { [list]: engagement } as mongo.PushOperator<mongo.Document>;
    const { modifiedCount } = await this.messages.collection.updateOne(
      { _id, _environmentId, _subscriberId, [`${list}.${last}`]: { $exists: false } },
      { $push },
    );
    if (!machine) await this.reports.apply([{ message, status: kind }], at);
    return modifiedCount > 0;
  }
}

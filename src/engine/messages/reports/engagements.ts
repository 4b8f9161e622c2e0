import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type mongo, Types } from 'mongoose';
import type { TenantModel } from '#libs/persistence';
import { MessageReports, REPORTED_FIELDS, type ReportedMessage } from './message-reports.js';
import { type Engagement, type EngagementKind, Message, type UntoldEngagement } from '../records/message.schema.js';

/** Of each kind, for one message. Programs leave room for persons. */
const MAX_ENGAGEMENTS = 100;
const MAX_WHILE_MACHINE = 50;
const LISTS = { opened: 'opens', clicked: 'clicks' } as const;
const MAX_FOUND = 100;

export type UntoldMessage = ReportedMessage & { readonly untold: readonly UntoldEngagement[] };

/** What recipients do with mails that they got, as Herald sees it itself. */
@Injectable()
export class Engagements {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly reports: MessageReports,
  ) {}

  /**
   * Recorded with the mark that others are to be told of it, which `settle` removes: a process that dies in between leaves the mark.
   * @returns undefined if it was not added: the message has as many as it keeps, is gone, or has this one already
   */
  async record(
    message: ReportedMessage,
    kind: EngagementKind,
    engagement: Engagement,
  ): Promise<UntoldEngagement | undefined> {
    const list = LISTS[kind];
    const last = (engagement.machine ? MAX_WHILE_MACHINE : MAX_ENGAGEMENTS) - 1;
    const { key = new Types.ObjectId().toHexString() } = engagement;
    const isAdded = engagement.key !== undefined && { [`${list}.key`]: { $ne: key } };
    const untold = { ...engagement, kind, key };
    const { modifiedCount } = await this.messages.collection.updateOne(
      { ...idOf(message), [`${list}.${last}`]: { $exists: false }, ...isAdded },
      added({ [list]: engagement, untold }),
    );
    return modifiedCount > 0 ? untold : undefined;
  }

  /** The status of the message follows what persons do, as it follows the reports of providers. Repeating it changes nothing. */
  async apply(message: ReportedMessage, kind: EngagementKind, { machine, at }: Engagement): Promise<void> {
    if (!machine) await this.reports.apply([{ message, status: kind }], at);
  }

  /** Everybody is told. */
  async settle(message: ReportedMessage, { key }: UntoldEngagement): Promise<void> {
    const id = idOf(message);
    const { modifiedCount } = await this.messages.collection.updateOne(
      { ...id, 'untold.0.key': key, 'untold.1': { $exists: false } },
      { $unset: { untold: 1 } },
    );
    if (modifiedCount > 0) return;
    const rest: mongo.Document = { $pull: { untold: { key } } };
    await this.messages.collection.updateOne({ ...id, 'untold.key': key }, rest);
    // Two that are settled at the same time leave an empty list.
    await this.messages.collection.updateOne({ ...id, untold: { $size: 0 } }, { $unset: { untold: 1 } });
  }

  /** Messages of all environments with engagements of which a process did not tell until then. */
  async untoldSince(before: Date): Promise<UntoldMessage[]> {
    const rows = await this.messages.collection
      .find<UntoldMessage>({ untold: { $exists: true }, 'untold.at': { $lte: before } })
      .project<UntoldMessage>(Object.fromEntries([...REPORTED_FIELDS, 'untold'].map((field) => [field, 1])))
      .limit(MAX_FOUND)
      .toArray();
    return rows.map((row) => ({ ...row, untold: row.untold.filter(({ at }) => at <= before) }));
  }
}

function added(entries: Record<string, Engagement>): mongo.Document {
  return { $push: entries };
}

function idOf({ _id, _environmentId, _subscriberId }: ReportedMessage): {
  _id: Types.ObjectId;
  _environmentId: Types.ObjectId;
  _subscriberId: Types.ObjectId;
} {
  return { _id, _environmentId, _subscriberId };
}

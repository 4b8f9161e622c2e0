import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo, Types } from 'mongoose';
import type { TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import type { MessageStatus } from './message.enums.js';
import { Message } from './message.schema.js';
import { isFurther, statusesBefore } from './status-ranks.js';

const FIELDS = {
  _environmentId: 1,
  _organizationId: 1,
  _notificationId: 1,
  _jobId: 1,
  _templateId: 1,
  _subscriberId: 1,
  transactionId: 1,
  channel: 1,
  providerId: 1,
  identifier: 1,
  email: 1,
  phone: 1,
} as const satisfies Partial<Record<keyof Message, 1>>;

/** What has to be known of a message to record a provider's report of it. */
export type ReportedMessage = Pick<Message, '_id' | keyof typeof FIELDS>;

/** What a provider says of a message. */
export interface StatusReport {
  readonly message: Pick<Message, '_id' | '_environmentId'>;
  readonly status: MessageStatus;
  /** Why it did not get there. */
  readonly errorText?: string;
}

/** Kinds of failures that providers report afterwards. */
const ERROR_IDS: Partial<Record<MessageStatus, string>> = { error: 'provider_rejected', bounced: 'bounced' };

/** Records what providers report of messages after they have taken them. */
@Injectable()
export class MessageReports {
  constructor(@InjectModel(Message.name) private readonly messages: TenantModel<Message>) {}

  /** The messages of a provider with these ids of the provider's own, by that id: usually one each. */
  async findByIdentifiers(
    { environmentId }: Pick<TenantContext, 'environmentId'>,
    providerId: string,
    identifiers: readonly string[],
  ): Promise<Map<string, ReportedMessage[]>> {
    const found = new Map<string, ReportedMessage[]>();
    if (identifiers.length === 0) return found;
    const rows = await this.messages
      .find({ _environmentId: environmentId, identifier: { $in: [...new Set(identifiers)] }, providerId }, FIELDS)
      .lean()
      .exec();
    for (const row of rows) {
      const { identifier = '' } = row;
      found.set(identifier, [...(found.get(identifier) ?? []), row]);
    }
    return found;
  }

  /** Moves messages on to what is reported of them, never back, in one call to the store. */
  async apply(reports: readonly StatusReport[], now: Date): Promise<void> {
    const furthest = new Map<string, StatusReport>();
    for (const report of reports) {
      const id = report.message._id.toHexString();
      const known = furthest.get(id);
      if (known === undefined || isFurther(report.status, known.status)) furthest.set(id, report);
    }
    if (furthest.size === 0) return;
    const writes = [...furthest.values()].map((report) => toUpdate(report, now));
    await this.messages.collection.bulkWrite(writes, { ordered: false });
  }
}

function toUpdate({ message, status, errorText }: StatusReport, updatedAt: Date): mongo.AnyBulkWriteOperation {
  const filter: { _id: Types.ObjectId } & mongo.Document = {
    _id: message._id,
    _environmentId: message._environmentId,
    status: { $in: statusesBefore(status) },
  };
  const errorId = ERROR_IDS[status];
  const update =
    errorId === undefined
      ? { $set: { status, updatedAt }, $unset: { errorId: 1, errorText: 1 } }
      : { $set: { status, updatedAt, errorId, ...(errorText !== undefined && { errorText }) } };
  return { updateOne: { filter, update } };
}

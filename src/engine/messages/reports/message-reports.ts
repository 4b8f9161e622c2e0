import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo, Types } from 'mongoose';
import type { TenantModel } from '#libs/persistence';
import { EventBus, type TenantContext } from '#libs/common';
import { MESSAGE_STATUSES, type MessageStatus } from '../records/message.enums.js';
import { Message } from '../records/message.schema.js';
import { AwaitedMessagesChanged } from '../records/messages.events.js';

export const REPORTED_FIELDS = [
  '_id',
  '_environmentId',
  '_organizationId',
  '_notificationId',
  '_jobId',
  '_templateId',
  '_subscriberId',
  'transactionId',
  'channel',
  'providerId',
  'identifier',
  'email',
  'phone',
  'awaited',
] as const satisfies readonly (keyof Message)[];

export type ReportedMessage = Pick<Message, (typeof REPORTED_FIELDS)[number]>;

/** What a link in a message says of it; all are record ids. */
export interface MessageOfLink extends Pick<TenantContext, 'organizationId' | 'environmentId'> {
  readonly messageId: string;
  readonly subscriberId: string;
}

export interface StatusReport {
  readonly message: Pick<Message, '_id' | '_environmentId' | '_subscriberId' | '_notificationId' | 'awaited'>;
  readonly status: MessageStatus;
  readonly errorText?: string;
}

/** A report says that the states before it were reached, too. */
const REPORTED_EVENTS = ['message.delivered', 'message.opened', 'message.clicked', 'message.bounced'];

const ERROR_IDS: Partial<Record<MessageStatus, string>> = { error: 'provider_rejected', bounced: 'bounced' };

@Injectable()
export class MessageReports {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly events: EventBus,
  ) {}

  async findByIdentifiers(
    tenant: Pick<TenantContext, 'environmentId'>,
    providerId: string,
    identifiers: readonly string[],
  ): Promise<Map<string, ReportedMessage[]>> {
    const found = new Map<string, ReportedMessage[]>();
    if (identifiers.length === 0) return found;
    const where = { identifier: { $in: [...new Set(identifiers)] }, providerId };
    const rows = await this.messages.list(tenant, where, { fields: REPORTED_FIELDS });
    for (const row of rows) {
      const { identifier = '' } = row;
      found.set(identifier, [...(found.get(identifier) ?? []), row]);
    }
    return found;
  }

  async findById(tenant: Pick<TenantContext, 'environmentId'>, id: string): Promise<ReportedMessage | undefined> {
    return (await this.messages.byIds(tenant, [id], { fields: REPORTED_FIELDS })).get(id);
  }

  /** One call to the store, and what runs wait for is told. A message never returns to an earlier status. */
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
    await this.announceAwaited([...furthest.values()]);
  }

  private async announceAwaited(reports: readonly StatusReport[]): Promise<void> {
    const awaited = reports.flatMap(({ message }) => (message.awaited === true ? [message] : []));
    for (const environmentId of new Set(awaited.map((message) => message._environmentId.toHexString()))) {
      const own = awaited.filter(({ _environmentId }) => _environmentId.equals(environmentId));
      await this.events.publish(new AwaitedMessagesChanged({ environmentId }, REPORTED_EVENTS, own));
    }
  }
}

function toUpdate({ message, status, errorText }: StatusReport, updatedAt: Date): mongo.AnyBulkWriteOperation {
  const filter: { _id: Types.ObjectId } & mongo.Document = {
    _id: message._id,
    _environmentId: message._environmentId,
    _subscriberId: message._subscriberId,
    status: { $in: statusesBefore(status) },
  };
  const errorId = ERROR_IDS[status];
  const update =
    errorId === undefined
      ? { $set: { status, updatedAt }, $unset: { errorId: 1, errorText: 1 } }
      : { $set: { status, updatedAt, errorId, ...(errorText !== undefined && { errorText }) } };
  return { updateOne: { filter, update } };
}

/**
 * Reports may arrive late, twice and in any order, so they only move a message forward: `delivered` does not replace
 * `opened`, but a later bounce does replace `delivered`.
 */
const RANK: Readonly<Record<MessageStatus, number>> = {
  pending: 0,
  warning: 1,
  sent: 2,
  error: 3,
  delivered: 4,
  bounced: 5,
  opened: 6,
  clicked: 7,
  complained: 8,
};

export function isFurther(status: MessageStatus, than: MessageStatus): boolean {
  return RANK[status] > RANK[than];
}

export function statusesBefore(status: MessageStatus): MessageStatus[] {
  return MESSAGE_STATUSES.filter((other) => isFurther(status, other));
}

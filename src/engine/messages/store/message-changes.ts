import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { Message } from '../records/message.schema.js';

const PLAIN_FIELDS = [
  'templateIdentifier',
  'transactionId',
  'channel',
  'providerId',
  'identifier',
  'subject',
  'title',
  'email',
  'phone',
  'status',
  'errorId',
  'errorText',
  'seen',
  'read',
  'lastSeenDate',
  'lastReadDate',
  'lastActionDate',
  'tags',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Message)[];

const ID_FIELDS = [
  '_id',
  '_organizationId',
  '_environmentId',
  '_notificationId',
  '_templateId',
  '_subscriberId',
] as const satisfies readonly (keyof Message)[];

type Action = NonNullable<NonNullable<Message['cta']>['action']>;

/** Without content and payload, with ids as text. Unset values are absent. */
export type MessageSummary = Pick<Message, (typeof PLAIN_FIELDS)[number]> &
  Record<(typeof ID_FIELDS)[number], string> & {
    readonly action?: Pick<Action, 'status' | 'result'>;
  };

const FIELDS = [...ID_FIELDS, ...PLAIN_FIELDS, 'cta'] as const;

type Environment = Pick<TenantContext, 'environmentId'>;

export type SubscriberDate = 'lastSeenDate' | 'lastReadDate' | 'lastActionDate';

/** For outbound webhooks. */
@Injectable()
export class MessageChanges {
  constructor(@InjectModel(Message.name) private readonly messages: TenantModel<Message>) {}

  async findByIds(tenant: Environment, ids: readonly string[]): Promise<Map<string, MessageSummary>> {
    const rows = await this.messages.byIds(tenant, ids, { fields: FIELDS });
    return new Map([...rows].map(([id, row]) => [id, toSummary(row)]));
  }

  /** In batches, ascending by the date. @param from inclusive */
  async *idsSince(
    { environmentId }: Environment,
    field: SubscriberDate,
    from: Date,
    batch: number,
  ): AsyncGenerator<string[]> {
    const found = this.messages
      .find({ _environmentId: environmentId, [field]: { $gte: from } }, { _id: 1 })
      .sort({ [field]: 1 })
      .lean()
      .cursor({ batchSize: batch });
    let ids: string[] = [];
    for await (const { _id } of found) {
      ids.push(_id.toHexString());
      if (ids.length < batch) continue;
      yield ids;
      ids = [];
    }
    if (ids.length > 0) yield ids;
  }
}

function toSummary(row: Pick<Message, (typeof FIELDS)[number]>): MessageSummary {
  const ids = ID_FIELDS.map((key): [string, string] => [key, row[key].toHexString()]);
  const plain = PLAIN_FIELDS.map((key) => [key, row[key]] as const).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const { status, result } = row.cta?.action ?? {};
  return {
    ...Object.fromEntries([...ids, ...plain]),
    ...(status !== undefined && result !== undefined && { action: { status, result } }),
  } as MessageSummary;
}

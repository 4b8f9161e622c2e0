import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { escapeHtml } from '#libs/templates';
import { FeedSignals } from '../live/feed-signals.js';
import { Message } from '../records/message.schema.js';

/** Their payloads are in memory together. */
const BATCH = 100;

/** A chat message that a provider has taken. */
export interface ChatCopy {
  readonly id: string;
  /** Record of the subscriber. */
  readonly subscriberId: string;
  readonly providerId: string;
  /** That of the provider. */
  readonly identifier: string;
  readonly content: string;
}

interface QuestionEnd {
  /** Who decided what, for people. */
  readonly text: string;
  /** The same for programs. */
  readonly question: Readonly<Record<string, unknown>>;
}

/** The messages that ask a question. */
@Injectable()
export class QuestionCopies {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly signals: FeedSignals,
    private readonly clock: Clock,
  ) {}

  /** Shows the end in all in-app messages, in the place of their buttons. Again, it changes only what has come since. */
  async close(tenant: TenantContext, transactions: readonly string[], { text, question }: QuestionEnd): Promise<void> {
    const where = { transactionId: { $in: [...transactions] }, channel: 'in_app' as const, isClosed: { $ne: true } };
    for (;;) {
      const rows = await this.messages.list(tenant, where, { limit: BATCH });
      if (rows.length === 0) return;
      await this.messages.collection.bulkWrite(
        rows.map((row) => ({ updateOne: this.closed(tenant, row, { text, question }) })),
        { ordered: false },
      );
      const { environmentId } = tenant;
      this.signals.changed(
        rows.map(({ _subscriberId }) => ({
          environmentId,
          subscriberId: _subscriberId.toHexString(),
          unseen: true,
          unread: true,
        })),
      );
    }
  }

  /** Those in chats, of one person or a page of all of them. */
  async inChats(
    tenant: Pick<TenantContext, 'environmentId'>,
    transactions: readonly string[],
    {
      subscriberId,
      after,
      limit,
    }: { readonly subscriberId?: string; readonly after?: string; readonly limit?: number },
  ): Promise<ChatCopy[]> {
    const where = {
      ...{ transactionId: { $in: [...transactions] }, channel: 'chat' as const, identifier: { $exists: true } },
      ...(subscriberId !== undefined && { _subscriberId: toObjectId(subscriberId) }),
      ...(after !== undefined && { _id: { $gt: toObjectId(after) } }),
    };
    const fields = ['_id', '_subscriberId', 'providerId', 'identifier', 'content'] as const;
    const window = limit === undefined ? {} : { limit };
    const rows = await this.messages.list(tenant, where, { fields, sort: { _id: 1 }, ...window });
    return rows.map(({ _id, _subscriberId, providerId = '', identifier = '', content }) => ({
      ...{ id: _id.toHexString(), subscriberId: _subscriberId.toHexString(), providerId, identifier },
      content: typeof content === 'string' ? content : '',
    }));
  }

  private closed(
    { environmentId }: TenantContext,
    { _id, _subscriberId, content, cta, payload }: Message,
    { text, question }: QuestionEnd,
  ): { filter: object; update: object } {
    const action = {
      ...cta?.action,
      status: 'done',
      buttons: [],
      result: { ...cta?.action?.result, payload: question },
    };
    const asked = payload?.['question'];
    const $set = {
      isClosed: true,
      cta: { ...cta, data: {}, action },
      payload: { ...payload, question: { ...(typeof asked === 'object' && asked), outcome: question } },
      updatedAt: this.clock.now(),
      ...(typeof content === 'string' && { content: `${content}<p>${escapeHtml(text)}</p>` }),
    };
    const own = { _id, _environmentId: toObjectId(environmentId), _subscriberId, isClosed: { $ne: true } };
    return { filter: own, update: { $set } };
  }
}

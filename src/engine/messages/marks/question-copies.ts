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

type ChatRow = Pick<Message, '_id' | '_subscriberId' | 'providerId' | 'identifier' | 'content'>;

const CHAT_FIELDS = { _id: 1, _subscriberId: 1, providerId: 1, identifier: 1, content: 1 } as const satisfies Record<
  keyof ChatRow,
  1
>;

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

  /** Those in chats, in pages. @param subscriberId of one person only */
  async *inChats(
    { environmentId }: Pick<TenantContext, 'environmentId'>,
    transactions: readonly string[],
    { subscriberId, size }: { readonly subscriberId?: string; readonly size: number },
  ): AsyncGenerator<ChatCopy[]> {
    const where = {
      _environmentId: toObjectId(environmentId),
      transactionId: { $in: [...transactions] },
      channel: 'chat',
      identifier: { $exists: true },
      deleted: false,
      ...(subscriberId !== undefined && { _subscriberId: toObjectId(subscriberId) }),
    };
    const rows = this.messages.collection.find(where).project<ChatRow>(CHAT_FIELDS).batchSize(size);
    const page: ChatCopy[] = [];
    for await (const row of rows) {
      page.push(copyOf(row));
      if (page.length === size) yield page.splice(0);
    }
    if (page.length > 0) yield page;
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

function copyOf({ _id, _subscriberId, providerId = '', identifier = '', content }: ChatRow): ChatCopy {
  return {
    id: _id.toHexString(),
    subscriberId: _subscriberId.toHexString(),
    providerId,
    identifier,
    content: typeof content === 'string' ? content : '',
  };
}

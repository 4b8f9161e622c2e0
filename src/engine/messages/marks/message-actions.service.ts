import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { type SubscriberResponse, SubscribersService } from '../../../audience/subscribers/index.js';
import type { ActOnMessageDto } from './message.dto.js';
import { type MessageResponse, type MessageWithOriginsResponse, showMessage } from '../views/message.response.js';
import type { ActionStatus, ActionType } from '../records/message.enums.js';
import { Message } from '../records/message.schema.js';
import { MessagePresenter } from '../views/message-presenter.js';
import { MessageNotOfSubscriber } from './messages.errors.js';
import { QuestionAlreadyAnswered, QuestionEnded } from './question.errors.js';
import { AwaitedMessagesChanged, MessageActed, QuestionButtonUsed } from '../records/messages.events.js';

interface ActionTarget {
  readonly subscriberId: string;
  readonly messageId: string;
}

interface Recorded {
  readonly row: Message;
  readonly subscriber: SubscriberResponse;
}

@Injectable()
export class MessageActionsService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscribersService,
    private readonly presenter: MessagePresenter,
    private readonly events: EventBus,
  ) {}

  /** Idempotent; one atomic update. */
  async act(
    tenant: TenantContext,
    target: ActionTarget,
    type: ActionType,
    dto: ActOnMessageDto,
  ): Promise<MessageWithOriginsResponse> {
    const { row, subscriber } = await this.record(tenant, target, type, dto);
    return this.presenter.withOrigins(tenant, row, subscriber);
  }

  /** Returns the message without its subscriber. */
  async actAsSubscriber(
    tenant: TenantContext,
    target: ActionTarget,
    type: ActionType,
    dto: ActOnMessageDto,
  ): Promise<MessageResponse> {
    return showMessage((await this.record(tenant, target, type, dto)).row);
  }

  private async record(
    tenant: TenantContext,
    target: ActionTarget,
    type: ActionType,
    { status, payload }: ActOnMessageDto,
  ): Promise<Recorded> {
    const subscriber = await this.subscribers.get(tenant, target.subscriberId);
    const updatedAt = new Date();
    const own = { _id: target.messageId, _environmentId: tenant.environmentId, _subscriberId: subscriber._id };
    const same = {
      'cta.action.status': status,
      'cta.action.result.type': type,
      ...(payload && { 'cta.action.result.payload': payload }),
    };
    const write = async (which: { question?: { $exists: false } }): Promise<Message | null> =>
      this.messages
        .findOneAndUpdate(
          { ...own, ...which, $nor: [same] },
          { $set: { ...same, updatedAt, lastActionDate: updatedAt } },
          { returnDocument: 'before', timestamps: false },
        )
        .lean()
        .exec();
    let before = await write({ question: { $exists: false } });
    if (before === null) {
      const row = await this.unchanged(tenant, target, subscriber);
      if (row.question !== undefined) {
        const isUndone = status !== 'done';
        const used = new QuestionButtonUsed(tenant, row.question.toHexString(), subscriber, type, isUndone);
        await this.events.publish(used);
        if (used.answered !== undefined) throw new QuestionAlreadyAnswered(target.subscriberId, used.answered);
        if (used.ended !== undefined) throw new QuestionEnded(...used.ended);
        before = await write({});
      }
      if (before === null) {
        await this.announceAwaited(tenant, row, status);
        return { row, subscriber };
      }
    }

    const action = { ...before.cta?.action, status, result: { ...before.cta?.action?.result, type } };
    if (payload) action.result.payload = payload;
    const change = { type, status, ...(payload && { payload }) };
    await this.events.publish(new MessageActed(tenant, target.messageId, subscriber._id, change));
    await this.announceAwaited(tenant, before, status);
    const row = { ...before, cta: { ...before.cta, action }, updatedAt, lastActionDate: updatedAt };
    return { row, subscriber };
  }

  private async announceAwaited(tenant: TenantContext, row: Message, status: ActionStatus): Promise<void> {
    if (row.awaited !== true || status !== 'done') return;
    await this.events.publish(new AwaitedMessagesChanged(tenant, ['message.clicked'], [row]));
  }

  /** Already in the requested state, or another subscriber's message. */
  private async unchanged(
    tenant: TenantContext,
    { messageId, subscriberId }: ActionTarget,
    subscriber: SubscriberResponse,
  ): Promise<Message> {
    const own = { _id: toObjectId(messageId), _subscriberId: toObjectId(subscriber._id) };
    const row = await this.messages.one(tenant, own);
    if (row === undefined) throw new MessageNotOfSubscriber(messageId, subscriberId);
    return row;
  }
}

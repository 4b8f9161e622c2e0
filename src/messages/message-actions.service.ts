import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { EventBus } from '#libs/events-bus';
import type { TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/tenancy';
import { SubscribersService } from '../subscribers/index.js';
import type { ActOnMessageDto } from './dto/act-on-message.dto.js';
import type { MessageWithOriginsResponse } from './dto/message-views.response.js';
import type { ActionType } from './message.enums.js';
import { Message } from './message.schema.js';
import { MessagePresenter } from './message-presenter.js';
import { MessageNotOfSubscriber } from './messages.errors.js';
import { MessageActed } from './messages.events.js';

/** The buttons of messages. */
@Injectable()
export class MessageActionsService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscribersService,
    private readonly presenter: MessagePresenter,
    private readonly events: EventBus,
  ) {}

  /**
   * Records that a button of a message was used, or taken back: one atomic update, the same again changes nothing
   * (decisions 5.7).
   * @throws {SubscriberNotFound} @throws {MessageNotOfSubscriber}
   */
  async act(
    tenant: TenantContext,
    target: { readonly subscriberId: string; readonly messageId: string },
    type: ActionType,
    { status, payload }: ActOnMessageDto,
  ): Promise<MessageWithOriginsResponse> {
    const subscriber = await this.subscribers.get(tenant, target.subscriberId);
    const updatedAt = new Date();
    const before = await this.messages
      .findOneAndUpdate(
        { _id: target.messageId, _environmentId: tenant.environmentId, _subscriberId: subscriber._id },
        {
          $set: {
            'cta.action.status': status,
            'cta.action.result.type': type,
            ...(payload && { 'cta.action.result.payload': payload }),
            updatedAt,
          },
        },
        { returnDocument: 'before', timestamps: false },
      )
      .lean()
      .exec();
    if (before === null) throw new MessageNotOfSubscriber(target.messageId, target.subscriberId);

    const action = { ...before.cta?.action, status, result: { ...before.cta?.action?.result, type } };
    if (payload) action.result.payload = payload;
    const changed = JSON.stringify(action) !== JSON.stringify(before.cta?.action);
    if (changed) {
      const told = { type, status, ...(payload && { payload }) };
      await this.events.publish(new MessageActed(tenant, target.messageId, subscriber._id, told));
    }
    return this.presenter.withOrigins(tenant, { ...before, cta: { ...before.cta, action }, updatedAt }, subscriber);
  }
}

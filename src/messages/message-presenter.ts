import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { type SubscriberResponse, SubscribersService } from '../subscribers/index.js';
import { WorkflowsService } from '../workflows/index.js';
import {
  type FeedMessageResponse,
  type ListedMessageResponse,
  type MessageSubscriberResponse,
  type MessageWithOriginsResponse,
  showFeedMessage,
  showListedMessage,
  showMessageSubscriber,
  showMessageTemplate,
  showMessageWithOrigins,
} from './message.response.js';
import type { Message } from './message.schema.js';

/** Builds responses of stored messages with embedded subscribers and workflows: one look-up per kind, however many rows. */
@Injectable()
export class MessagePresenter {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly workflows: WorkflowsService,
  ) {}

  async withOrigins(
    tenant: TenantContext,
    row: Message,
    subscriber: SubscriberResponse,
  ): Promise<MessageWithOriginsResponse> {
    const workflow = await this.workflows.findEvenDeleted(tenant, row._templateId.toHexString());
    return showMessageWithOrigins(row, subscriber, workflow);
  }

  async listed(tenant: TenantContext, rows: readonly Message[]): Promise<ListedMessageResponse[]> {
    const subscriberOf = await this.subscribersOf(tenant, rows);
    return rows.map((row) => showListedMessage(row, subscriberOf(row._subscriberId.toHexString())));
  }

  async asFeed(tenant: TenantContext, rows: readonly Message[]): Promise<FeedMessageResponse[]> {
    const [subscriberOf, workflows] = await Promise.all([
      this.subscribersOf(tenant, rows),
      this.workflows.findByIds(tenant, distinct(rows.map((row) => row._templateId.toHexString())), { deleted: true }),
    ]);
    return rows.map((row) => {
      const workflow = workflows.get(row._templateId.toHexString());
      return showFeedMessage(row, {
        subscriber: subscriberOf(row._subscriberId.toHexString()),
        actorSubscriber: row._actorId && subscriberOf(row._actorId.toHexString()),
        template: workflow && showMessageTemplate(workflow),
      });
    });
  }

  private async subscribersOf(
    tenant: TenantContext,
    rows: readonly Message[],
  ): Promise<(id: string) => MessageSubscriberResponse | undefined> {
    const ids = rows.flatMap((row) => [row._subscriberId, ...(row._actorId ? [row._actorId] : [])]);
    const found = await this.subscribers.showByIds(tenant, distinct(ids.map((id) => id.toHexString())));
    return (id) => {
      const subscriber = found.get(id);
      return subscriber && showMessageSubscriber(subscriber);
    };
  }
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

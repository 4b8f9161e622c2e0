import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import {
  type SubscriberResponse,
  SubscriberSummaries,
  type SubscriberSummary,
} from '../../../audience/subscribers/index.js';
import { WorkflowsService } from '../../../content/workflows/index.js';
import { type LiveMessage, showLiveMessage } from './live-message.js';
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
import type { Message } from '../records/message.schema.js';

/** One look-up per kind of related record, however many rows. */
@Injectable()
export class MessagePresenter {
  constructor(
    private readonly subscribers: SubscriberSummaries,
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
    const shown = await this.showSubscribers(
      tenant,
      rows.map((row) => row._subscriberId),
    );
    return rows.map((row) => showListedMessage(row, shown.get(row._subscriberId.toHexString())));
  }

  /** @param recipient of all rows */
  async asFeed(
    tenant: TenantContext,
    rows: readonly Message[],
    recipient: SubscriberSummary,
  ): Promise<FeedMessageResponse[]> {
    const [actors, workflows] = await Promise.all([
      this.showSubscribers(
        tenant,
        rows.flatMap((row) => row._actorId ?? []),
      ),
      this.workflows.summariesByIds(
        tenant,
        rows.map((row) => row._templateId.toHexString()),
      ),
    ]);
    const subscriber = showMessageSubscriber(recipient);
    return rows.map((row) => {
      const workflow = workflows.get(row._templateId.toHexString());
      return showFeedMessage(row, {
        subscriber,
        actorSubscriber: row._actorId && actors.get(row._actorId.toHexString()),
        template: workflow && showMessageTemplate(workflow),
      });
    });
  }

  /** @param rows of any subscribers of the environment */
  async live(tenant: TenantContext, rows: readonly Message[]): Promise<Map<string, LiveMessage[]>> {
    const rowsOf = new Map<string, Message[]>();
    for (const row of rows) {
      const id = row._subscriberId.toHexString();
      rowsOf.set(id, [...(rowsOf.get(id) ?? []), row]);
    }
    const recipients = await this.subscribers.byIds(tenant, rowsOf.keys());
    const shown = [...recipients].map(async ([id, recipient]) => {
      const own = rowsOf.get(id) ?? [];
      const feed = await this.asFeed(tenant, own, recipient);
      const live = own.map((row, place) => showLiveMessage(row, feed[place] as FeedMessageResponse));
      return [id, await Promise.all(live)] as const;
    });
    return new Map(await Promise.all(shown));
  }

  private async showSubscribers(
    tenant: TenantContext,
    ids: readonly Types.ObjectId[],
  ): Promise<Map<string, MessageSubscriberResponse>> {
    const found = await this.subscribers.byIds(
      tenant,
      ids.map((id) => id.toHexString()),
    );
    return new Map([...found].map(([id, summary]) => [id, showMessageSubscriber(summary)]));
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { LinkedPage, type LinkedPageQuery } from '#libs/http-kit';
import { CREATION, type KeysetOrder, type TenantModel, type Where } from '#libs/persistence';
import { SubscriberSummaries, type SubscriberSummary } from '../subscribers/index.js';
import { TopicLinks } from './topic-links.js';
import { Topic, TopicSubscriber } from './topic.schema.js';
import { TopicSubscriberNotFound } from './topics.errors.js';
import { TopicsService } from './topics.service.js';

export interface TopicSubscription {
  readonly link: TopicSubscriber;
  readonly topic: Topic;
  readonly subscriber: SubscriberSummary;
}

export interface SubscriptionsChanged {
  readonly changed: readonly TopicSubscription[];
  /** Ids without a subscriber, or without a subscription to remove. */
  readonly notFound: readonly string[];
}

type Show<T> = (subscription: TopicSubscription) => T;

/** The members of topics, one by one. */
@Injectable()
export class TopicSubscriptions {
  constructor(
    @InjectModel(TopicSubscriber.name) private readonly links: TenantModel<TopicSubscriber>,
    @InjectModel(Topic.name) private readonly topics: TenantModel<Topic>,
    private readonly service: TopicsService,
    private readonly members: TopicLinks,
    private readonly subscribers: SubscriberSummaries,
  ) {}

  /** In the order of the ids of the subscribers. */
  async ofTopic<T>(
    tenant: TenantContext,
    key: string,
    { subscriberId, ...query }: LinkedPageQuery & { readonly subscriberId?: string | null },
    show: Show<T>,
  ): Promise<LinkedPage<T>> {
    const { _id } = await this.service.mustFind(tenant, key);
    const where = { _topicId: _id, ...(subscriberId && { externalSubscriberId: subscriberId }) };
    return this.page(tenant, where, { externalSubscriberId: 'text' }, query, show);
  }

  /** In the order of creation. */
  async ofSubscriber<T>(
    tenant: TenantContext,
    subscriberId: string,
    { key, ...query }: LinkedPageQuery & { readonly key?: string | null },
    show: Show<T>,
  ): Promise<LinkedPage<T>> {
    const { _id } = await this.subscribers.recent(tenant, subscriberId);
    const topic = key ? await this.service.find(tenant, key) : undefined;
    const ofTopic = key ? { _topicId: topic?._id ?? { $in: [] } } : {};
    return this.page(tenant, { _subscriberId: _id, ...ofTopic }, CREATION, query, show);
  }

  /** @throws {TopicSubscriberNotFound} */
  async get(tenant: TenantContext, key: string, subscriberId: string): Promise<TopicSubscription> {
    const [found] = await this.among(tenant, await this.service.mustFind(tenant, key), [subscriberId]);
    if (found === undefined) throw new TopicSubscriberNotFound(key, subscriberId);
    return found;
  }

  /** Creates a missing topic. @param name of such a topic */
  async add(
    tenant: TenantContext,
    key: string,
    ids: readonly string[],
    name?: string | null,
  ): Promise<SubscriptionsChanged> {
    const topic = await this.service.getOrCreate(tenant, key, name);
    const { succeeded, failed } = await this.service.addSubscribers(tenant, key, ids);
    return { changed: await this.among(tenant, topic, succeeded), notFound: failed?.notFound ?? [] };
  }

  async remove(tenant: TenantContext, key: string, ids: readonly string[]): Promise<SubscriptionsChanged> {
    const topic = await this.service.mustFind(tenant, key);
    const changed = await this.among(tenant, topic, ids);
    await this.members.remove(tenant, topic._id, ids);
    const removed = new Set(changed.map(({ link }) => link.externalSubscriberId));
    return { changed, notFound: [...new Set(ids)].filter((id) => !removed.has(id)) };
  }

  private async among(tenant: TenantContext, topic: Topic, ids: readonly string[]): Promise<TopicSubscription[]> {
    const where = { _topicId: topic._id, externalSubscriberId: { $in: [...ids] } };
    return this.complete(tenant, await this.links.list(tenant, where, { sort: { externalSubscriberId: 1 } }));
  }

  private async page<T>(
    tenant: TenantContext,
    where: Where<TopicSubscriber>,
    fields: KeysetOrder['fields'],
    { orderDirection, ...window }: LinkedPageQuery,
    show: Show<T>,
  ): Promise<LinkedPage<T>> {
    const order = { fields, direction: orderDirection };
    const [found, counted] = await Promise.all([
      this.links.linked(tenant, where, { ...window, order }),
      this.links.count(tenant, where, LinkedPage.MAX_COUNT + 1),
    ]);
    const complete = found && { ...found, rows: await this.complete(tenant, found.rows) };
    return LinkedPage.of(complete, show, counted);
  }

  /** Without those whose topic or subscriber was deleted meanwhile. */
  private async complete(tenant: TenantContext, links: readonly TopicSubscriber[]): Promise<TopicSubscription[]> {
    const [topics, subscribers] = await Promise.all([
      this.topics.byIds(
        tenant,
        links.map(({ _topicId }) => _topicId.toHexString()),
      ),
      this.subscribers.byIds(
        tenant,
        links.map(({ _subscriberId }) => _subscriberId.toHexString()),
      ),
    ]);
    return links.flatMap((link) => {
      const topic = topics.get(link._topicId.toHexString());
      const subscriber = subscribers.get(link._subscriberId.toHexString());
      return topic && subscriber ? [{ link, topic, subscriber }] : [];
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import type { LinkedPage, Rows } from '#libs/http-kit';
import { TopicDirectory, TopicSubscriptions, type TopicSubscription } from '../../audience/topics/index.js';
import { FieldNotServed, refuseFields } from '../not-served/index.js';
import type {
  AddSubscriptionsDto,
  LinkedTopicsQuery,
  SubscriptionsDto,
  UpdateSubscriptionDto,
  UpsertTopicDto,
} from './topic-v2.dto.js';
import {
  showChanged,
  showSubscription,
  showTopicV2,
  type SubscriptionResponse,
  type TopicV2Response,
} from './topic-v2.response.js';

const ONE_PER_SUBSCRIBER =
  'a topic has one subscription of each subscriber, which has no name and no conditions of its own. Leave it out.';

/** What later clients send for topics, in the words of Herald. */
@Injectable()
export class TopicsV2Service {
  constructor(
    private readonly directory: TopicDirectory,
    private readonly subscriptions: TopicSubscriptions,
  ) {}

  async put(
    tenant: TenantContext,
    dto: UpsertTopicDto,
    failIfExists = false,
  ): Promise<{ readonly topic: TopicV2Response; readonly isNew: boolean }> {
    if (failIfExists) return { topic: showTopicV2(await this.directory.create(tenant, dto)), isNew: true };
    const { topic, isNew } = await this.directory.put(tenant, dto);
    return { topic: showTopicV2(topic), isNew };
  }

  async list(tenant: TenantContext, { name, ...query }: LinkedTopicsQuery): Promise<LinkedPage<TopicV2Response>> {
    refuseFields({ name }, 'topics are found by their key. Filter by key.');
    return this.directory.list(tenant, query, showTopicV2);
  }

  async subscribe(tenant: TenantContext, key: string, dto: AddSubscriptionsDto): Promise<Rows<SubscriptionResponse>> {
    const { name, context, preferences } = dto;
    refuseFields({ context, preferences }, ONE_PER_SUBSCRIBER);
    const changed = await this.subscriptions.add(tenant, key, subscribersOf(dto), name);
    return showChanged(changed, 'SUBSCRIBER_NOT_FOUND');
  }

  async unsubscribe(tenant: TenantContext, key: string, dto: SubscriptionsDto): Promise<Rows<SubscriptionResponse>> {
    const changed = await this.subscriptions.remove(tenant, key, subscribersOf(dto));
    return showChanged(changed, 'SUBSCRIPTION_NOT_FOUND');
  }

  async update(
    tenant: TenantContext,
    key: string,
    identifier: string,
    { name, preferences }: UpdateSubscriptionDto,
  ): Promise<SubscriptionResponse> {
    const found: TopicSubscription = await this.subscriptions.get(tenant, key, identifier);
    refuseFields({ name, preferences }, ONE_PER_SUBSCRIBER);
    return showSubscription(found);
  }
}

/** @throws {FieldNotServed} for a subscription with an identifier of its own */
function subscribersOf({ subscriberIds, subscriptions }: SubscriptionsDto): string[] {
  const named = (subscriptions ?? []).map((entry) => {
    if (typeof entry === 'string') return entry;
    const { subscriberId, identifier } = entry;
    const id = subscriberId ?? identifier ?? '';
    if (identifier && identifier !== id) throw new FieldNotServed(['identifier'], ONE_PER_SUBSCRIBER);
    return id;
  });
  return [...new Set([...(subscriberIds ?? []), ...named])];
}

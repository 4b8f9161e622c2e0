import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Page } from '#libs/http-kit';
import { readPage, type TenantFilter, type TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { FeedsService } from '../feeds/index.js';
import { SubscribersService } from '../subscribers/index.js';
import type { ListFeedQuery, CountUnseenQuery } from './message.dto.js';
import type { FeedMessageResponse, MessageCountResponse } from './message.response.js';
import { Message } from './message.schema.js';
import { MessagePresenter } from './message-presenter.js';
import { payloadConditions } from './payload-filter.js';

@Injectable()
export class SubscriberFeedService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscribersService,
    private readonly feeds: FeedsService,
    private readonly presenter: MessagePresenter,
  ) {}

  /** One page, newest first, with the number of all messages that match. @throws {SubscriberNotFound} */
  async list(tenant: TenantContext, subscriberId: string, query: ListFeedQuery): Promise<Page<FeedMessageResponse>> {
    const { page, limit, seen, read, payload } = query;
    const filter: TenantFilter<Message> = {
      ...(await this.filterOf(tenant, subscriberId, query.feedIdentifier)),
      ...(seen !== undefined && { seen }),
      ...(read !== undefined && { read }),
      ...(payload !== undefined && payloadFilter(payload)),
    };
    const found = this.messages.find(filter).sort({ createdAt: -1, _id: -1 }).lean();
    const [{ rows, hasMore }, totalCount] = await Promise.all([
      readPage<Message>(found, query),
      this.messages.countDocuments(filter).exec(),
    ]);
    return new Page(await this.presenter.asFeed(tenant, rows), page, limit, hasMore, totalCount);
  }

  /** How many messages are unseen (or seen), at most `limit`. @throws {SubscriberNotFound} */
  async countUnseen(
    tenant: TenantContext,
    subscriberId: string,
    query: CountUnseenQuery,
  ): Promise<MessageCountResponse> {
    const filter = {
      ...(await this.filterOf(tenant, subscriberId, query.feedIdentifier)),
      seen: query.seen ?? false,
    };
    return { count: await this.messages.countDocuments(filter, { limit: query.limit }).exec() };
  }

  private async filterOf(
    tenant: TenantContext,
    subscriberId: string,
    feedIdentifiers?: readonly string[],
  ): Promise<TenantFilter<Message>> {
    const subscriber = await this.subscribers.get(tenant, subscriberId);
    const feeds = feedIdentifiers && (await this.feeds.findByIdentifiers(tenant, feedIdentifiers));
    return {
      _environmentId: tenant.environmentId,
      _subscriberId: subscriber._id,
      channel: 'in_app',
      ...(feeds && { _feedId: { $in: feeds.map(({ _id }) => _id) } }),
    };
  }
}

/** `$eq` prevents values of a caller from being read as operators. */
function payloadFilter(text: string): Record<string, { $eq: unknown }> {
  return Object.fromEntries(payloadConditions(text).map(([path, value]) => [`payload.${path}`, { $eq: value }]));
}

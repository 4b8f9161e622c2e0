import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Page } from '#libs/http-kit';
import { NEWEST_FIRST, type TenantModel, type Where } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { FeedsService } from '../../../content/feeds/index.js';
import { SubscriberSummaries, type SubscriberSummary } from '../../../audience/subscribers/index.js';
import type { CountUnseenQuery } from '../marks/message.dto.js';
import type { FeedMessageResponse, MessageCountResponse } from '../views/message.response.js';
import { Message } from '../records/message.schema.js';
import { MessagePresenter } from '../views/message-presenter.js';
import { payloadConditions } from '../views/payload-filter.js';

interface FeedFilter {
  readonly feedIdentifier?: readonly string[];
  readonly seen?: boolean;
  readonly read?: boolean;
}

interface FeedRequest extends FeedFilter {
  readonly page: number;
  readonly limit: number;
  /** See {@link payloadConditions}. */
  readonly payload?: string;
}

@Injectable()
export class SubscriberFeedService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscriberSummaries,
    private readonly feeds: FeedsService,
    private readonly presenter: MessagePresenter,
  ) {}

  /** Newest first, with the total of matching messages. */
  async list(tenant: TenantContext, subscriberId: string, query: FeedRequest): Promise<Page<FeedMessageResponse>> {
    const { page, limit, seen, read, payload } = query;
    const subscriber = await this.subscribers.recent(tenant, subscriberId);
    const where: Where<Message> = {
      ...(await this.inboxOf(tenant, subscriber, query.feedIdentifier)),
      ...(seen !== undefined && { seen }),
      ...(read !== undefined && { read }),
      ...(payload !== undefined && payloadFilter(payload)),
    };
    const [{ rows, hasMore }, totalCount] = await Promise.all([
      this.messages.page(tenant, where, { page, limit, sort: NEWEST_FIRST }),
      this.messages.count(tenant, where),
    ]);
    return new Page(await this.presenter.asFeed(tenant, rows, subscriber), page, limit, hasMore, totalCount);
  }

  /** Unseen, or seen; at most `limit`. */
  countUnseen(tenant: TenantContext, subscriberId: string, query: CountUnseenQuery): Promise<MessageCountResponse> {
    return this.count(tenant, subscriberId, { ...query, seen: query.seen ?? false });
  }

  /** At most `limit`. */
  async count(
    tenant: TenantContext,
    subscriberId: string,
    { feedIdentifier, seen, read, limit }: FeedFilter & { readonly limit: number },
  ): Promise<MessageCountResponse> {
    const subscriber = await this.subscribers.recent(tenant, subscriberId);
    const where: Where<Message> = {
      ...(await this.inboxOf(tenant, subscriber, feedIdentifier)),
      ...(seen !== undefined && { seen }),
      ...(read !== undefined && { read }),
    };
    // Other conditions make the store look at entries that they do not count, for which callers of the same command would wait.
    const isQuick = seen !== undefined && feedIdentifier === undefined;
    return { count: await this.messages[isQuick ? 'countUpTo' : 'count'](tenant, where, limit) };
  }

  private async inboxOf(
    tenant: TenantContext,
    { _id: _subscriberId }: SubscriberSummary,
    feedIdentifiers?: readonly string[],
  ): Promise<Where<Message>> {
    const inbox = { _subscriberId, channel: 'in_app' } as const;
    if (feedIdentifiers === undefined) return inbox;
    return { ...inbox, _feedId: { $in: await this.feeds.idsOf(tenant, feedIdentifiers) } };
  }
}

/** `$eq` prevents values of a caller from being read as operators. */
function payloadFilter(text: string): Record<string, { $eq: unknown }> {
  return Object.fromEntries(payloadConditions(text).map(([path, value]) => [`payload.${path}`, { $eq: value }]));
}

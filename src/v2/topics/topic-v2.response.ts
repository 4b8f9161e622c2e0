import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Rows, shown } from '#libs/http-kit';
import type { SubscriptionsChanged, Topic, TopicSubscription } from '../../audience/topics/index.js';

/** A topic without its subscribers. */
export class TopicV2Response {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /**
   * Your identifier of the topic.
   * @example order-4711-watchers
   */
  key: string;
  /**
   * Display name.
   * @example "Watchers of order 4711"
   */
  name: string;
  /** Free-form data of the topic. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  data?: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

export function showTopicV2({ _id, key, name, data, createdAt, updatedAt }: Topic): TopicV2Response {
  return shown(TopicV2Response, {
    _id: _id.toHexString(),
    key,
    name,
    data: data ?? undefined,
    createdAt,
    updatedAt,
  });
}

export class DeletedTopicResponse {
  /**
   * Always true.
   * @example true
   */
  acknowledged: boolean;
}

/** The subscriber of a subscription. */
export class SubscribedResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /**
   * Your identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
  /**
   * First name.
   * @example Ada
   */
  firstName?: string;
  /**
   * Last name.
   * @example Lovelace
   */
  lastName?: string;
  /**
   * Email address.
   * @example ada@example.com
   */
  email?: string;
  /** URL of the profile image. */
  avatar?: string;
}

/** A subscriber in a topic. */
export class SubscriptionResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /**
   * Identifier in the topic: that of the subscriber.
   * @example ada
   */
  identifier: string;
  topic: TopicV2Response;
  subscriber: SubscribedResponse;
  createdAt: Date;
  updatedAt: Date;
}

export function showSubscription({ link, topic, subscriber }: TopicSubscription): SubscriptionResponse {
  const { subscriberId, firstName, lastName, email, avatar } = subscriber;
  const _id = link._id.toHexString();
  return shown(SubscriptionResponse, {
    _id,
    id: _id,
    identifier: subscriberId,
    topic: showTopicV2(topic),
    subscriber: shown(SubscribedResponse, {
      _id: subscriber._id.toHexString(),
      subscriberId,
      firstName: firstName ?? undefined,
      lastName: lastName ?? undefined,
      email: email ?? undefined,
      avatar: avatar ?? undefined,
    }),
    createdAt: link.createdAt,
    updatedAt: link.updatedAt,
  });
}

/** Numbers of what was asked for. */
export class SubscriptionCountsResponse {
  /**
   * Subscribers that the request names.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  totalCount: number;
  /**
   * Subscriptions that are in `data`.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  successful: number;
  /**
   * Entries of `errors`.
   * @example 0
   */
  @ApiProperty({ type: 'integer' })
  failed: number;
}

/** A subscriber of the request for whom nothing was done. */
export class SubscriptionFailure {
  /**
   * Your identifier of the subscriber.
   * @example nobody
   */
  subscriberId: string;
  @ApiProperty({ enum: ['SUBSCRIBER_NOT_FOUND', 'SUBSCRIPTION_NOT_FOUND'], description: 'Stable code of the error.' })
  code: 'SUBSCRIBER_NOT_FOUND' | 'SUBSCRIPTION_NOT_FOUND';
  /** What is wrong. */
  message: string;
}

/** What became of each subscriber of a request. */
export class SubscriptionsChangedResponse {
  /** Subscriptions that were asked for, or that are removed. */
  @ApiProperty({ type: () => [SubscriptionResponse] })
  data: SubscriptionResponse[];
  meta: SubscriptionCountsResponse;
  /** Present if something failed. */
  @ApiPropertyOptional({ type: () => [SubscriptionFailure] })
  errors?: SubscriptionFailure[];
}

const FAILURES = {
  SUBSCRIBER_NOT_FOUND: (id: string) => `This environment has no subscriber '${id}'.`,
  SUBSCRIPTION_NOT_FOUND: (id: string) => `The subscriber '${id}' is not in the topic.`,
} as const satisfies Record<SubscriptionFailure['code'], (id: string) => string>;

export function showChanged(
  { changed, notFound }: SubscriptionsChanged,
  code: SubscriptionFailure['code'],
): Rows<SubscriptionResponse> {
  const errors = notFound.map((subscriberId) =>
    shown(SubscriptionFailure, { subscriberId, code, message: FAILURES[code](subscriberId) }),
  );
  const meta = { totalCount: changed.length + errors.length, successful: changed.length, failed: errors.length };
  return new Rows(changed.map(showSubscription), { meta, ...(errors.length > 0 && { errors }) });
}

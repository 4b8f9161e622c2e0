import type { Topic, TopicSubscriber } from '../topic.schema.js';

/** A topic. */
export class TopicResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example order-1042-watchers */
  key: string;
  /** @example "Watchers of order 1042" */
  name: string;
  /**
   * Your own identifiers of its subscribers, in their order; lists show the first thousand of each topic.
   * @example ["subscriber-1"]
   */
  subscribers: string[];
  _environmentId: string;
  _organizationId: string;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: Topic, subscribers: string[]): TopicResponse {
    return Object.assign(new TopicResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      key: row.key,
      name: row.name,
      subscribers,
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}

/** A subscriber's place in a topic. */
export class TopicSubscriberResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _topicId: string;
  /** @example order-1042-watchers */
  topicKey: string;
  /** Record id of the subscriber. */
  _subscriberId: string;
  /**
   * Your own identifier of the subscriber.
   * @example subscriber-1
   */
  externalSubscriberId: string;
  _environmentId: string;
  _organizationId: string;
  createdAt: Date;
  updatedAt: Date;

  static from(row: TopicSubscriber, topicKey: string): TopicSubscriberResponse {
    return Object.assign(new TopicSubscriberResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      _topicId: row._topicId.toHexString(),
      topicKey,
      _subscriberId: row._subscriberId.toHexString(),
      externalSubscriberId: row.externalSubscriberId,
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    });
  }
}

/** Ids of those that could not be added. */
export class AddSubscribersFailure {
  /**
   * Ids of no subscriber of this environment.
   * @example ["nobody"]
   */
  notFound: string[];
}

/** What became of those that were to be added. */
export class AddSubscribersResponse {
  /**
   * Those that are in the topic now.
   * @example ["subscriber-1"]
   */
  succeeded: string[];
  /** Present when some could not be added. */
  failed?: AddSubscribersFailure;
}

import { PlainRecordResponse, RecordResponse, shower } from '#libs/http-kit';
import type { Topic, TopicSubscriber } from './topic.schema.js';

export class TopicResponse extends RecordResponse {
  /**
   * Your key of the topic.
   * @example order-4711-watchers
   */
  key: string;
  /**
   * Display name.
   * @example "Watchers of order 4711"
   */
  name: string;
  /**
   * Your identifiers of its subscribers, in ascending order; lists show the first 1,000 of each topic.
   * @example ["ada"]
   */
  subscribers: string[];
}

export const showTopic = shower(TopicResponse, (row: Topic, subscribers: string[]) => ({
  key: row.key,
  name: row.name,
  subscribers,
}));

/** A subscriber's membership in a topic. */
export class TopicSubscriberResponse extends PlainRecordResponse {
  _topicId: string;
  /**
   * Your key of the topic.
   * @example order-4711-watchers
   */
  topicKey: string;
  /** Record id of the subscriber. */
  _subscriberId: string;
  /**
   * Your identifier of the subscriber.
   * @example ada
   */
  externalSubscriberId: string;
}

export const showTopicSubscriber = shower(TopicSubscriberResponse, (row: TopicSubscriber, topicKey: string) => ({
  _topicId: row._topicId.toHexString(),
  topicKey,
  _subscriberId: row._subscriberId.toHexString(),
  externalSubscriberId: row.externalSubscriberId,
}));

/** Ids of subscribers that could not be added. */
export class AddSubscribersFailure {
  /**
   * Ids without a subscriber in this environment.
   * @example ["nobody"]
   */
  notFound: string[];
}

/** The result of adding subscribers. */
export class AddSubscribersResponse {
  /**
   * Subscribers that are now in the topic.
   * @example ["ada"]
   */
  succeeded: string[];
  /** Present if some could not be added. */
  failed?: AddSubscribersFailure;
}

import { defineError } from '#libs/http-kit';

export const TopicAlreadyExists = defineError(
  409,
  'topic_already_exists',
  (key: string) => `This environment already has a topic with the key '${key}'. Choose another key or use that topic.`,
  ['order-4711-watchers'],
);

export const TopicNotFound = defineError(
  404,
  'topic_not_found',
  (key: string) =>
    `This environment has no topic with the key '${key}'. List them with GET /v1/topics or create it with POST /v1/topics.`,
  ['{topicKey}'],
);

export const TopicHasSubscribers = defineError(
  409,
  'topic_has_subscribers',
  (key: string) =>
    `The topic '${key}' still has subscribers. Remove them with POST /v1/topics/${key}/subscribers/removal first.`,
  ['order-4711-watchers'],
);

export const TopicSubscriberNotFound = defineError(
  404,
  'topic_subscriber_not_found',
  (key: string, subscriberId: string) =>
    `The subscriber '${subscriberId}' is not in the topic '${key}'. Add it with POST /v1/topics/${key}/subscribers.`,
  ['order-4711-watchers', 'ada'],
);

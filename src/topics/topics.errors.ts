import { AppException } from '#libs/http-kit';

export class TopicAlreadyExists extends AppException {
  constructor(key: string) {
    super(
      409,
      'topic_already_exists',
      `This environment already has a topic with the key '${key}'. Choose another key or use that topic.`,
    );
  }
}

export class TopicNotFound extends AppException {
  constructor(key: string) {
    super(
      404,
      'topic_not_found',
      `This environment has no topic with the key '${key}'. List them with GET /v1/topics or create it with POST /v1/topics.`,
    );
  }
}

export class TopicHasSubscribers extends AppException {
  constructor(key: string) {
    super(
      409,
      'topic_has_subscribers',
      `The topic '${key}' still has subscribers. Remove them with POST /v1/topics/${key}/subscribers/removal first.`,
    );
  }
}

export class TopicSubscriberNotFound extends AppException {
  constructor(key: string, subscriberId: string) {
    super(
      404,
      'topic_subscriber_not_found',
      `The subscriber '${subscriberId}' is not in the topic '${key}'. Add it with POST /v1/topics/${key}/subscribers.`,
    );
  }
}

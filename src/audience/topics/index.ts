export { AuditedTopic } from './topics.controller.js';
export type { TopicMember } from './topic-links.js';
export { TopicsModule } from './topics.module.js';
export { type MemberBatch, TopicsService } from './topics.service.js';
export { TopicLinks } from './topic-links.js';
export { TopicDirectory } from './topic-directory.js';
export { type SubscriptionsChanged, type TopicSubscription, TopicSubscriptions } from './topic-subscriptions.js';
export type { Topic } from './topic.schema.js';
export { TopicAlreadyExists, TopicNotFound, TopicSubscriberNotFound } from './topics.errors.js';

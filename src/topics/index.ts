export { TopicResponse } from './topic.response.js';
export type { TopicMember } from './topic-links.js';
export { TopicNotFound } from './topics.errors.js';
export { TopicsModule } from './topics.module.js';
export { type MemberBatch, TopicsService } from './topics.service.js';

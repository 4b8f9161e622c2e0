export type { TopicMember } from './topic-links.js';
export { TopicsModule } from './topics.module.js';
export { type MemberBatch, TopicsService } from './topics.service.js';
export { TopicLinks } from './topic-links.js';

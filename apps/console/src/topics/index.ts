export { TopicPage } from './topic-page.js';
export { TopicsPage } from './topics-page.js';

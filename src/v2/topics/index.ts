export { showSubscription, SubscriptionResponse } from './topic-v2.response.js';
export { TopicsV2Module } from './topics-v2.module.js';

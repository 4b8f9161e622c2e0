export { PushSubscriptionsModule } from './push-subscriptions.module.js';

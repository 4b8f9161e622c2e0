export { SubscriberNotificationsModule } from './subscriber-notifications.module.js';

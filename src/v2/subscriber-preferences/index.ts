export { SubscriberPreferencesModule } from './subscriber-preferences.module.js';

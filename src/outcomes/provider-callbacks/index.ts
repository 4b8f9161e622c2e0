export { MessagesReported, type ReportedStatus } from './provider-callbacks.events.js';
export { ProviderCallbacksModule } from './provider-callbacks.module.js';

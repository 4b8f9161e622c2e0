export { MessagesReported, type ReportedStatus } from './provider-callbacks.events.js';
export { ProviderCallbacksModule } from './provider-callbacks.module.js';
export { ReceiptWorker } from './receipt-worker.js';

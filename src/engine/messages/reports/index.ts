export { MessageReports, type ReportedMessage } from './message-reports.js';
export { Engagements } from './engagements.js';
export { EarlyEngagements } from './early-engagements.js';
export { PUSH_RECEIPT_SHARD_KEY, type PushReceiptRecord, PushReceipts } from './push-receipts.js';
export { MessageErasure } from './message-erasure.js';
export { type CountedMessage, MessageCounts, type TemplateCounts } from './message-counts.js';

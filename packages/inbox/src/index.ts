import { defineInbox, HeraldInbox } from './element/herald-inbox.js';

defineInbox();

export { HeraldInbox };
export type { InboxLabels } from './element/labels.js';
export * from './store/index.js';

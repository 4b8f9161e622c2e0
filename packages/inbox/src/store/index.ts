export { InboxApi, InboxError } from './api.js';
export type { ItemChange } from './changes.js';
export { fromField, InboxPreferences, nextRange, toField, withDay } from './preferences.js';
export { InboxPush, type PushState } from './push.js';
export type { InboxState, OpenGroup } from './state.js';
export { InboxStore } from './store.js';
export * from './types.js';

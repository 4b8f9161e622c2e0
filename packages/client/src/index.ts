export { HeraldApiError, HeraldConnectionError, HeraldError } from './errors.js';
export { type EventState, Herald, type HeraldOptions, type WaitFor, type WaitOptions } from './herald.js';
export type { RetryPolicy } from './retry.js';
// All of it, so that others can extend `paths`: TypeScript merges interfaces with what `export *` names.
export type * from './schema.js';
export type { CallOptions, ListPath, Method, PathOf, Row, Schemas } from './types.js';
export {
  type EndedEvent,
  type VerifyOptions,
  verifyWebhook,
  type PreferenceEvent,
  type WebhookEvent,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.js';

/**
 * The public entry point of plugins: `import { definePlugin } from 'herald/plugin'`. Everything here belongs to the version of
 * the plugin API, and nothing else of Herald may be imported by a plugin.
 */
export {
  definePlugin,
  defineStep,
  isPlugin,
  type Plugin,
  PLUGIN_API_VERSION,
  type PluginManifest,
  type PluginPage,
} from './define-plugin.js';
export { type Listener, listenTo, OnHeraldEvent } from './listeners.js';
export { defineSettings, type PluginSettings } from './settings.js';
export type { ConditionOperatorCheck, TemplateHelper } from '#libs/plugins';
export { z } from 'zod';

// steps
export { StepError, type StepErrorOptions } from '#libs/plugins';
export type {
  NoteStatus,
  StepContext,
  StepResult,
  StepRunner,
  StepType,
} from '../../engine/delivery/records/plugin-step.types.js';

// events
export { MessageFailed, type MessageOrigin, MessageSent } from '../../engine/delivery/records/delivery.events.js';
export { MessageActed, MessagesDeleted, MessagesMarked } from '../../engine/messages/records/messages.events.js';
export { MessagesReported, type ReportedStatus } from '../../outcomes/provider-callbacks/provider-callbacks.events.js';
export { WorkflowCreated, WorkflowDeleted, WorkflowUpdated } from '../../content/workflows/workflows.events.js';

// providers
export {
  basic,
  bearer,
  type CallbackEvent,
  type CallbackRequest,
  type Channel,
  type ChatMessage,
  type CredentialSpec,
  defineProvider,
  type EmailMessage,
  type HttpApiProvider,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
  type ProviderCallback,
  ProviderError,
  type ProviderErrorCode,
  type PushMessage,
  type SendContext,
  type SendingProvider,
  type SendResult,
  type SmsMessage,
} from '#libs/channels';

// resources
export {
  ApiData,
  ApiDataArray,
  ApiErrors,
  ApiPage,
  AppLogger,
  DeletableRecordResponse,
  defineError,
  IdParam,
  IsName,
  NeedsScope,
  OptionalString,
  Page,
  PageQuery,
  RecordResponse,
  shower,
  Tenant,
} from '#libs/http-kit';
export { asTenant, Clock, type RecordOwner, type TenantContext } from '#libs/common';
export {
  BaseRecord,
  defineSchema,
  type Migration,
  NEWEST_FIRST,
  OLDEST_FIRST,
  onDuplicateKey,
  ownedBy,
  shared,
  softDeleted,
  type TenantFilter,
  type TenantModel,
  TenantRecord,
  toObjectId,
  uniqueWhileAlive,
} from '#libs/persistence';

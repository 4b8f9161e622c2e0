export {
  type AddressChannel,
  addressKey,
  distinctAddresses,
  type Mailbox,
  phoneNumber,
  readMailbox,
} from './core/addresses.js';
export {
  ATTACHMENT_DISPOSITIONS,
  type AttachmentDisposition,
  CHANNELS,
  type Channel,
  isChannel,
  isInline,
} from './core/messages.js';
export { escapeValue } from './core/value-escapes.js';
export { forbiddenFields, namesTemplate } from './declarative/own-fields.js';
export type {
  ChatAddress,
  CredentialField,
  CredentialType,
  OwnFields,
  ProviderDeclaration,
  ProviderFeatures,
  ProviderState,
} from './core/declaration.js';
export {
  allProviders,
  chatAndPushProviderIds,
  findProvider,
  malformedCredentials,
  missingCredentials,
  PROVIDER_CATALOGUE,
} from './catalogue/catalogue.js';
export { isWebUrl } from './catalogue/credential-formats.js';
export { CREDENTIAL_KEYS, SECRET_CREDENTIAL_KEYS } from './errors/credential-keys.js';
export {
  addProvider,
  credentialKeys,
  type DeclaredProvider,
  isShownCredential,
  pluginProviders,
} from './core/plugin-providers.js';
export {
  type CredentialSpec,
  defineProvider,
  type HttpApiProvider,
  type SendingProvider,
} from './declarative/define-provider.js';
export type { MessageOf } from './declarative/http-provider.js';
export { basic, bearer } from './declarative/http-call.js';
export type {
  AnswerButton,
  ChatMessage,
  EmailAttachment,
  EmailMessage,
  OutboundMessage,
  PushMessage,
  SmsMessage,
  SubscriberCredentials,
} from './core/messages.js';
export { CATCHER_CHANNELS, type CatcherChannel, CATCHERS, type CaughtContent, isCatcher } from './core/caught.js';
export {
  type AnswerButtons,
  CALLBACK_STATUSES,
  type CallbackEvent,
  type CallbackRequest,
  type CallbackStatus,
  type ChannelProvider,
  type Connection,
  maxBytesOf,
  type Press,
  type ProviderCallback,
  type Receipt,
  type SendContext,
  type SendResult,
  type Ticket,
} from './core/provider.js';
export {
  type DeadAddress,
  ProviderError,
  type FailureOutcome,
  type ProviderErrorCode,
  type ProviderErrorDetails,
} from './errors/provider-error.js';
export { ChannelRegistry, type ChannelRegistryOptions, type SendOptions } from './core/channel-registry.js';
export {
  createChannelRegistry,
  type CreateChannelRegistryOptions,
  createOperatorMail,
} from './create-channel-registry.js';
export { ChannelProvidersModule } from './channel-providers.module.js';
export { retryAfterMs } from './http/response-body.js';
export { OutboundHttp, type OutboundRequest, type OutboundResponse } from './http/outbound-http.types.js';
export { isPublicAddress, literalAddress } from './http/address-guard.js';

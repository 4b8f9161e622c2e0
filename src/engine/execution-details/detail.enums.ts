import { STEP_TYPES } from '#libs/plugins';

/** Texts that all types of steps share; a type declares its own. Dashboards of the compatible system know them. */
export const DETAIL = {
  stepCreated: 'Step created',
  stepQueued: 'Step queued',
  stepCanceled: 'Step was canceled',
  eventWithdrawn: 'Event was taken out of the digest',
  stepReplayed: 'Step replayed',
  stepTypeNotRun: 'Step type is not supported',
  pluginStepStarted: 'Step of a plugin started',
  pluginStepCompleted: 'Step of a plugin completed',
  pluginStepSkipped: 'Step of a plugin was skipped',
  pluginStepWaits: 'Step of a plugin waits',
  pluginStepRetried: 'Step of a plugin failed and will be retried',
  pluginStepFailed: 'Step of a plugin failed',
  pluginStepNotSimulated: 'Step of a plugin was not simulated',
  startSending: 'Start sending message',
  budgetPassed: 'Message is within the budget of the subscriber',
  budgetCritical: 'Message is critical and is counted apart from the budget of the subscriber',
  budgetDropped: 'Step skipped because the budget of the subscriber is used up',
  budgetHeld: 'Message is held because the budget of the subscriber is used up',
  budgetDigested: 'Message went into the digest of what the budget has held',
  budgetDigestFailed: 'Digest of what the budget has held could not be sent',
  stepNotReached: 'Step skipped because an earlier step ended the run',
  filterSteps: 'Step was filtered based on steps filters',
  otherArm: 'Step skipped because it stands in another arm',
  filteredByGlobalPreference: 'Step filtered by subscriber global preferences',
  filteredByWorkflowPreference: 'Step filtered by subscriber workflow preferences',
  filteredByWorkflowSettings: 'Step filtered by workflow preferences',
  filteredByWorkflowOverride: 'Step filtered by the workflow override of the tenant',
  filteredByUserSettings: 'Step filtered by user preferences',
  outsideSchedule: "Step skipped because it is outside of the subscriber's schedule",
  stepHeld: 'Step waits until the schedule opens',
  waitSkipped: 'Wait was skipped because the event was triggered with skipWaits',
  neverOpen: 'Step skipped because the schedule never opens',
  extensionsUsedUp: 'Step goes on outside of the schedule, because it has been extended three times',
  processingFilter: 'Processing step filter',
  processingFilterFailed: 'Processing step filter failed',
  webhookFilterFailedRetry: 'Webhook filter failed, retry will be executed',
  webhookFilterFailedLastRetry: 'Failed to get response from remote webhook filter on last retry',
  tenantSelected: 'Tenant context selected',
  tenantNotFound: 'Tenant identifier not found',
  variantChosen: 'Variant was chosen by the provided condition criteria',
  integrationSelected: 'Integration instance selected',
  noActiveIntegration: 'Subscriber does not have an active integration',
  noActiveChannel: 'Subscriber does not have a configured channel',
  noChannelDetails: 'Subscriber missing recipient details',
  recipientLeftOut: 'Recipient was left out of the message',
  pushNotDelivered: 'The provider reports tokens that it could not deliver to',
  fieldsNotSent: 'The provider does not take some fields of the message',
  pushMissingDeviceTokens: 'Subscriber credentials is missing the tokens for sending a push notification message',
  missingPhone: 'Subscriber is missing a phone number',
  webhookUrlMissing: 'Webhook URL for the chat channel is missing',
  chatAddressRemoved: 'Address was removed because the provider says that it is gone',
  sentAsNew: 'The earlier message was not found, and a new one is sent',
  chatAllFailed: 'All chat channels failed to send the message',
  providerLimitReached: "Novu's provider limit has been reached",
  // The trailing space is part of the label.
  layoutNotFound: 'Layout not found ',
  contentNotGenerated: 'Message content could not be generated',
  contentSyntaxError: 'Message content could not be generated due to syntax error in email editor',
  integrationDown: 'Integration was passed over because its provider is down',
  messagePaced: 'Message waits for its integration',
  missingValues: 'Template values are missing',
  valuesRequired: 'Message not sent because template values are missing',
  missingTranslations: 'Translations are missing',
  messageCreated: 'Message created',
  linkRemoved: 'A link was removed from the message because it could run code',
  messageTracked: 'Opens or clicks of the message are followed',
  messageNotTracked: 'Opens and clicks of the message are not followed',
  picturesLinked: 'Pictures of the mail are linked, not inside of it',
  messageSent: 'Message sent',
  messageOpened: 'Message was opened',
  messageClicked: 'Link of the message was clicked',
  recipientUnsubscribed: 'Recipient unsubscribed by a link of the message',
  recipientSubscribed: 'Recipient subscribed again by a link of the message',
  providerError: 'Unexpected provider error',
  mayBeAccepted: 'The provider may have accepted the message',
  notificationError: 'There was one or more errors when trying to execute the notification',
  replyCallbackMissing: 'Inbound mail - Missing replay callback URL',
  replyMissingConfiguration: 'Inbound mail - Missing configuration',
  replyMissingMxRecord: 'Inbound mail - Missing MX Record configuration',
  replyMissingMxDomain: 'Inbound mail - Missing MX route domain configuration',
} as const;
export type Detail = (typeof DETAIL)[keyof typeof DETAIL];

export const DETAIL_STATUSES = ['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation'] as const;
export type DetailStatus = (typeof DETAIL_STATUSES)[number];

export const DETAIL_SOURCES = ['Credentials', 'Internal', 'Payload', 'Webhook'] as const;
export type DetailSource = (typeof DETAIL_SOURCES)[number];

const SUCCESS: readonly string[] = [
  DETAIL.stepCanceled,
  DETAIL.eventWithdrawn,
  DETAIL.budgetPassed,
  DETAIL.budgetCritical,
  DETAIL.budgetDropped,
  DETAIL.budgetDigested,
  DETAIL.stepNotReached,
  DETAIL.pluginStepCompleted,
  DETAIL.pluginStepSkipped,
  DETAIL.filterSteps,
  DETAIL.otherArm,
  DETAIL.filteredByGlobalPreference,
  DETAIL.filteredByWorkflowPreference,
  DETAIL.filteredByWorkflowSettings,
  DETAIL.filteredByWorkflowOverride,
  DETAIL.filteredByUserSettings,
  DETAIL.outsideSchedule,
  DETAIL.neverOpen,
  DETAIL.messageTracked,
  DETAIL.messageSent,
  DETAIL.messageOpened,
  DETAIL.messageClicked,
  DETAIL.recipientUnsubscribed,
  DETAIL.recipientSubscribed,
];
const FAILED: readonly string[] = [
  DETAIL.stepTypeNotRun,
  DETAIL.pluginStepFailed,
  DETAIL.budgetDigestFailed,
  DETAIL.processingFilterFailed,
  DETAIL.tenantNotFound,
  DETAIL.noActiveIntegration,
  DETAIL.noActiveChannel,
  DETAIL.noChannelDetails,
  DETAIL.pushMissingDeviceTokens,
  DETAIL.missingPhone,
  DETAIL.webhookUrlMissing,
  DETAIL.chatAllFailed,
  DETAIL.providerLimitReached,
  DETAIL.layoutNotFound,
  DETAIL.contentNotGenerated,
  DETAIL.contentSyntaxError,
  DETAIL.valuesRequired,
  DETAIL.providerError,
  DETAIL.notificationError,
];
const WARNING: readonly string[] = [
  DETAIL.integrationDown,
  DETAIL.pluginStepRetried,
  DETAIL.pluginStepNotSimulated,
  DETAIL.missingValues,
  DETAIL.missingTranslations,
  DETAIL.mayBeAccepted,
  DETAIL.sentAsNew,
  DETAIL.linkRemoved,
  DETAIL.recipientLeftOut,
  DETAIL.fieldsNotSent,
  DETAIL.pushNotDelivered,
  DETAIL.chatAddressRemoved,
  DETAIL.messageNotTracked,
  DETAIL.picturesLinked,
  DETAIL.extensionsUsedUp,
  DETAIL.replyCallbackMissing,
  DETAIL.replyMissingConfiguration,
  DETAIL.replyMissingMxRecord,
  DETAIL.replyMissingMxDomain,
];

const USUAL = new Map<string, DetailStatus>([
  ...SUCCESS.map((detail) => [detail, 'Success'] as const),
  ...FAILED.map((detail) => [detail, 'Failed'] as const),
  ...WARNING.map((detail) => [detail, 'Warning'] as const),
]);

/** Accepts a suffix, as in `Message sent: fcm`; `Pending` for every other text. */
export function usualStatusOf(detail: string): DetailStatus {
  return statusOf(detail) ?? statusOf(detail.split(': ', 1)[0] ?? '') ?? 'Pending';
}

function statusOf(text: string): DetailStatus | undefined {
  return USUAL.get(text) ?? STEP_TYPES.trail.get(text)?.status;
}

const OWN_DETAILS: readonly string[] = Object.values(DETAIL);

/** A text of Herald, perhaps with a provider id, as opposed to a provider's text. */
export function isOwnDetail(detail: string): boolean {
  const [text = ''] = detail.split(': ', 1);
  return OWN_DETAILS.includes(text) || STEP_TYPES.trail.has(text);
}

/** Dashboards of the compatible system know these texts. */
export const DETAIL = {
  stepCreated: 'Step created',
  stepQueued: 'Step queued',
  stepDelayed: 'Step delayed',
  stepDigested: 'Step digested',
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
  startDigesting: 'Start digesting',
  digestTriggeredEvents: 'Digest triggered events',
  digestMerged: 'Digest was merged with other digest',
  digestSkipped: 'Digest was skipped, first backoff event',
  delayFinished: 'Delay is finished',
  delayMisconfigured: 'Invalid delay configuration',
  throttlePassed: 'Throttle was passed',
  throttled: 'Step skipped because the threshold of the throttle was reached',
  throttleMisconfigured: 'Throttle was passed without being counted',
  httpAnswered: 'HTTP request was answered',
  httpNotJson: 'The answer to the HTTP request is not JSON',
  httpUnfit: 'The answer to the HTTP request does not fit its schema',
  httpRetried: 'HTTP request failed and will be retried',
  httpFailed: 'HTTP request failed',
  httpNotSent: 'HTTP request was not sent',
  stepNotReached: 'Step skipped because an earlier step ended the run',
  filterSteps: 'Step was filtered based on steps filters',
  filteredByGlobalPreference: 'Step filtered by subscriber global preferences',
  filteredByWorkflowPreference: 'Step filtered by subscriber workflow preferences',
  filteredByWorkflowSettings: 'Step filtered by workflow preferences',
  filteredByWorkflowOverride: 'Step filtered by the workflow override of the tenant',
  filteredByUserSettings: 'Step filtered by user preferences',
  outsideSchedule: "Step skipped because it is outside of the subscriber's schedule",
  stepHeld: 'Step waits until the schedule opens',
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
  pushMissingDeviceTokens: 'Subscriber credentials is missing the tokens for sending a push notification message',
  missingPhone: 'Subscriber is missing a phone number',
  webhookUrlMissing: 'Webhook URL for the chat channel is missing',
  sentAsNew: 'The earlier message was not found, and a new one is sent',
  chatAllFailed: 'All chat channels failed to send the message',
  providerLimitReached: "Novu's provider limit has been reached",
  // The trailing space is part of the label.
  layoutNotFound: 'Layout not found ',
  contentNotGenerated: 'Message content could not be generated',
  contentSyntaxError: 'Message content could not be generated due to syntax error in email editor',
  missingValues: 'Template values are missing',
  messageCreated: 'Message created',
  linkRemoved: 'A link was removed from the message because it could run code',
  messageSent: 'Message sent',
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
  DETAIL.digestTriggeredEvents,
  DETAIL.digestMerged,
  DETAIL.digestSkipped,
  DETAIL.delayFinished,
  DETAIL.throttlePassed,
  DETAIL.httpAnswered,
  DETAIL.throttled,
  DETAIL.stepNotReached,
  DETAIL.pluginStepCompleted,
  DETAIL.pluginStepSkipped,
  DETAIL.filterSteps,
  DETAIL.filteredByGlobalPreference,
  DETAIL.filteredByWorkflowPreference,
  DETAIL.filteredByWorkflowSettings,
  DETAIL.filteredByWorkflowOverride,
  DETAIL.filteredByUserSettings,
  DETAIL.outsideSchedule,
  DETAIL.neverOpen,
  DETAIL.messageSent,
  DETAIL.recipientUnsubscribed,
  DETAIL.recipientSubscribed,
];
const FAILED: readonly string[] = [
  DETAIL.stepTypeNotRun,
  DETAIL.pluginStepFailed,
  DETAIL.delayMisconfigured,
  DETAIL.throttleMisconfigured,
  DETAIL.httpFailed,
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
  DETAIL.providerError,
  DETAIL.notificationError,
];
const WARNING: readonly string[] = [
  DETAIL.pluginStepRetried,
  DETAIL.pluginStepNotSimulated,
  DETAIL.httpNotJson,
  DETAIL.httpUnfit,
  DETAIL.httpRetried,
  DETAIL.httpNotSent,
  DETAIL.missingValues,
  DETAIL.mayBeAccepted,
  DETAIL.sentAsNew,
  DETAIL.linkRemoved,
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
  return USUAL.get(detail) ?? USUAL.get(detail.split(': ', 1)[0] ?? '') ?? 'Pending';
}

const OWN_DETAILS: readonly string[] = Object.values(DETAIL);

/** A text of Herald, perhaps with a provider id, as opposed to a provider's text. */
export function isOwnDetail(detail: string): boolean {
  return OWN_DETAILS.includes(detail.split(': ', 1)[0] ?? '');
}

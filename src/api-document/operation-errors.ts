import { type ErrorExample, notFound } from './error-codes.js';

const MESSAGE_MISSING: ErrorExample = {
  code: 'message_not_found',
  message: "The subscriber 'ada' has no message with the id '64f0c1a2b3c4d5e6f7a8b9c0'.",
};
const SESSION_REFUSED: Readonly<Record<string, readonly ErrorExample[]>> = {
  400: [
    {
      code: 'application_identifier_unknown',
      message: "No environment has this application identifier. GET /v1/environments/me shows yours as 'identifier'.",
    },
    {
      code: 'hmac_invalid',
      message:
        "The HMAC is missing or does not match the subscriber. Send the HMAC-SHA256 of the subscriber's id in hexadecimal digits, keyed with the oldest API key of the environment.",
    },
  ],
  404: [
    {
      code: 'in_app_integration_inactive',
      message: "The in-app integration of this environment is not active. Set its field 'active' to true.",
    },
  ],
  429: [
    {
      code: 'too_many_sessions',
      message: 'Too many sessions were created from this address. Try again in 60 s.',
    },
  ],
};
const WORKFLOW_MISSING = notFound(
  'workflow_not_found',
  "This environment has no workflow 'order-shipped'. List them with GET /v1/workflows.",
);
const GROUP_MISSING = notFound(
  'notification_group_not_found',
  "This environment has no notification group with the id '64f0c1a2b3c4d5e6f7a8b9c0'. List them with GET /v1/notification-groups.",
);
const OVERRIDE_MISSING = notFound(
  'workflow_override_not_found',
  'This environment has no workflow override of the pair.',
);
const TRIGGER_MISSING: ErrorExample = { code: 'workflow_not_found', message: 'workflow_not_found' };
const NO_INTEGRATION: ErrorExample = {
  code: 'no_active_integration',
  message: "There is no active integration of the provider 'discord'. Create one with POST /v1/integrations.",
};
const PREFERENCE_MISSING: ErrorExample = {
  code: 'no_preference_given',
  message: "The body changes nothing: send 'preferences', 'enabled' or both.",
};
const IDENTIFIER_TAKEN: ErrorExample = {
  code: 'workflow_identifier_taken',
  message: "Another workflow of this environment has the trigger identifier 'order-shipped'. Choose another one.",
};
/** @param parameter of the path, which names the workflow */
const changedMeanwhile = (parameter: string): ErrorExample => ({
  code: 'workflow_changed_meanwhile',
  message: `The workflow '{${parameter}}' was repeatedly changed by other requests at the same time. Read it and try again.`,
});
const STEP_NOT_RUNNABLE: ErrorExample = {
  code: 'steps_not_runnable',
  message: [
    'steps.0.template.type must not be custom: such steps are not run here. Use one of in_app, email, sms, chat, push, digest and delay',
  ],
};
const taken = (code: string, message: string): { 409: ErrorExample[] } => ({ 409: [{ code, message }] });

const EVENT_MISSING = notFound(
  'event_not_found',
  "This environment has no event with the transaction id '{transactionId}'. Events are stored as long as notifications.",
);

const PAYLOAD_INCOMPLETE: ErrorExample = {
  code: 'payload_incomplete',
  message: 'payload is missing required key(s) and type(s): order.number (Value)',
};
const TRIGGER_INCOMPLETE: ErrorExample = {
  code: 'trigger_incomplete',
  message: 'Trigger is missing: tenant object',
};
const NOT_COMPLETE = [PAYLOAD_INCOMPLETE, TRIGGER_INCOMPLETE];
const EVENT_TOO_LARGE: ErrorExample = {
  code: 'event_too_large',
  message:
    'The event takes 17000000 bytes; 16000000 is the limit. Name fewer recipients, use a topic, or shorten the payload.',
};
const WORKFLOW_TOO_LARGE: ErrorExample = {
  code: 'workflow_too_large',
  message: 'The workflow takes 17000000 bytes; 16000000 is the limit. Shorten its templates or split it.',
};
const NOTHING_TO_UPDATE: ErrorExample = {
  code: 'nothing_to_update',
  message: 'The body contains no field that can be changed. Send at least one.',
};
const CONTENTION: ErrorExample = {
  code: 'too_much_contention',
  message: 'Too many requests are changing the same integrations at the same time. Send the request again.',
};
const LAYOUT_CONTENTION: ErrorExample = {
  code: 'too_much_contention',
  message: 'Too many requests are changing the default layout at the same time. Send the request again.',
};
const OTHER_ENVIRONMENT: ErrorExample = {
  code: 'other_environment',
  message:
    "_environmentId '64f0c1a2b3c4d5e6f7a8b9c0' is not the environment of your API key. Leave it out, or use a key of that environment.",
};
const EXCEEDS_ISSUER: ErrorExample = {
  code: 'key_exceeds_issuer',
  message: 'A new key cannot exceed the rights of the key that requests it: the scope write. Request fewer rights.',
};
const NOT_REPLAYABLE: readonly ErrorExample[] = [
  { code: 'nothing_to_replay', message: 'No step has failed, so there is nothing to replay.' },
  { code: 'notification_running', message: 'The notification has not ended yet. Replay it after it has ended.' },
  {
    code: 'may_have_been_sent',
    message:
      'The provider may have accepted the message, so the recipient could receive it twice. Check with the provider, or replay it with {"includeUncertain": true}.',
  },
  {
    code: 'event_no_longer_kept',
    message: 'The event of this notification is no longer stored, so it cannot be replayed. Trigger it again.',
  },
];
const secretOf = (collection: string, field: string): ErrorExample => ({
  code: 'secret_unreadable',
  message: `The secret that is stored in ${collection} 64f0c1a2b3c4d5e6f7a8b9c0 (${field}) cannot be read: no key opens it. Store the secret again, or delete the record.`,
});

const RENDERING_BUSY: ErrorExample = {
  code: 'rendering_busy',
  message: 'Too many messages are waiting to be rendered. Send the request again in a second.',
};
const SAMPLE_MISSING = [
  notFound('variant_not_found', "The step has no variant '64f0c1a2b3c4d5e6f7a8b9c0'."),
  notFound('subscriber_not_found', "This environment has no subscriber 'ada'."),
  notFound('tenant_not_found', "This environment has no tenant 'acme'. List them with GET /v1/tenants."),
];
const STEP_NOT_TESTABLE: ErrorExample = {
  code: 'step_not_testable',
  message: "There is no address. Send 'to' or 'subscriber'.",
};

/**
 * Errors that only some operations answer, before those of their path and status. Older paths have those of the newer.
 */
export const BY_OPERATION: Readonly<Record<string, Readonly<Record<string, readonly ErrorExample[]>>>> = {
  triggerEvent: { 400: NOT_COMPLETE, 413: [EVENT_TOO_LARGE], 422: [TRIGGER_MISSING] },
  dryRunEvent: { 400: NOT_COMPLETE, 413: [EVENT_TOO_LARGE], 422: [TRIGGER_MISSING], 503: [RENDERING_BUSY] },
  previewStep: { 404: SAMPLE_MISSING, 503: [RENDERING_BUSY] },
  testStep: { 404: SAMPLE_MISSING, 422: [STEP_NOT_TESTABLE] },
  listInboxNotifications: { 404: [MESSAGE_MISSING] },
  snoozeInboxNotification: {
    400: [{ code: 'snooze_refused', message: 'snoozeUntil must be in the future, at most 2160 hours from now.' }],
  },
  streamInbox: {
    404: [
      {
        code: 'real_time_off',
        message: 'This server has no real-time connections. Set REAL_TIME=on, or read the feed at intervals.',
      },
    ],
    429: [
      {
        code: 'too_many_connections',
        message: 'This subscriber or this address has too many open connections. Close some of them.',
      },
    ],
  },
  getEvent: { 404: [EVENT_MISSING] },
  getConditionWebhookSecret: {
    409: [secretOf('conditionSecrets', 'sealedSecret')],
  },
  broadcastEvent: { 400: NOT_COMPLETE, 413: [EVENT_TOO_LARGE], 422: [TRIGGER_MISSING] },
  createWorkflow: { 404: [GROUP_MISSING], 413: [WORKFLOW_TOO_LARGE], 422: [STEP_NOT_RUNNABLE] },
  updateWorkflow: {
    400: [NOTHING_TO_UPDATE],
    409: [IDENTIFIER_TAKEN, changedMeanwhile('workflowId')],
    413: [WORKFLOW_TOO_LARGE],
    422: [STEP_NOT_RUNNABLE],
  },
  defineWorkflow: {
    409: [changedMeanwhile('workflowIdentifier')],
    413: [WORKFLOW_TOO_LARGE],
    422: [STEP_NOT_RUNNABLE],
  },
  defineLayout: { 409: [LAYOUT_CONTENTION] },
  createWorkflowOverride: {
    404: [
      WORKFLOW_MISSING,
      notFound('tenant_not_found', "This environment has no tenant 'acme'. List them with GET /v1/tenants."),
    ],
    409: [
      {
        code: 'workflow_override_already_exists',
        message:
          "The workflow 'order-shipped' already has an override for the tenant 'acme'. Change it with PUT /v1/workflow-overrides/workflows/order-shipped/tenants/acme.",
      },
    ],
  },
  getWorkflowOverrideByPair: { 404: [OVERRIDE_MISSING] },
  updateWorkflowOverrideByPair: { 404: [OVERRIDE_MISSING] },
  setSubscriberCredentials: { 400: [NO_INTEGRATION] },
  addSubscriberCredentials: { 400: [NO_INTEGRATION] },
  updateGlobalPreference: { 400: [PREFERENCE_MISSING] },
  updateWorkflowPreference: { 400: [PREFERENCE_MISSING] },
  createIntegration: {
    400: [
      {
        code: 'credential_check_failed',
        message:
          "The check of the credentials failed. The SMTP server could not be reached: connect ECONNREFUSED 203.0.113.5:587. Correct them, or omit 'check' to store them without a test.",
      },
    ],
    403: [OTHER_ENVIRONMENT],
    409: [
      {
        code: 'integration_identifier_taken',
        message:
          "This environment already has an integration with the identifier 'smtp-eu'. Choose another one or leave it out.",
      },
      {
        code: 'in_app_integration_exists',
        message:
          'This environment already has an in-app integration. Change it with PUT /v1/integrations/{integrationId}.',
      },
      CONTENTION,
    ],
  },
  updateIntegration: {
    400: [NOTHING_TO_UPDATE],
    403: [OTHER_ENVIRONMENT],
    409: [
      {
        code: 'integration_identifier_taken',
        message:
          "This environment already has an integration with the identifier 'smtp-eu'. Choose another one or leave it out.",
      },
      CONTENTION,
    ],
  },
  deleteIntegration: { 409: [CONTENTION] },
  getWebhookStatus: {
    400: [
      {
        code: 'callbacks_not_supported',
        message: 'Status callbacks are supported for email and sms only, not for slack on the channel chat.',
      },
      {
        code: 'integration_without_credentials',
        message:
          "The integration '{providerOrIntegrationId}' has no credentials. Set them with PUT /v1/integrations/{integrationId}.",
      },
    ],
  },
  issueApiKey: { 403: [EXCEEDS_ISSUER] },
  rotateApiKey: {
    403: [EXCEEDS_ISSUER],
    409: [{ code: 'api_key_expired', message: "The API key '{apiKeyId}' has expired. Issue a new one instead." }],
  },
  setPrimaryIntegration: {
    400: [
      {
        code: 'primary_not_supported',
        message: 'Integrations of the channel chat cannot be primary. Only those of email and sms can.',
      },
    ],
    409: [CONTENTION],
  },
  createTopic: taken(
    'topic_already_exists',
    "This environment already has a topic with the key 'order-4711-watchers'.",
  ),
  deleteTopic: taken('topic_has_subscribers', "The topic 'order-4711-watchers' still has subscribers."),
  getTopicSubscriber: {
    404: [notFound('topic_subscriber_not_found', "The subscriber 'ada' is not in the topic 'order-4711-watchers'.")],
  },
  createTenant: taken('tenant_already_exists', "This environment already has a tenant with the identifier 'acme'."),
  updateTenant: taken('tenant_already_exists', "This environment already has a tenant with the identifier 'acme'."),
  createLayout: taken('layout_already_exists', "This environment already has a layout with the identifier 'company'."),
  updateLayout: {
    400: [NOTHING_TO_UPDATE],
    409: [
      {
        code: 'layout_already_exists',
        message: "This environment already has a layout with the identifier 'company'.",
      },
      LAYOUT_CONTENTION,
    ],
  },
  setDefaultLayout: { 409: [LAYOUT_CONTENTION] },
  deleteLayout: {
    409: [
      {
        code: 'default_layout_required',
        message: 'The layout is the default one. Make another layout the default first.',
      },
      {
        code: 'layout_in_use',
        message: "The layout is used by a workflow. Remove it from the workflow's steps first.",
      },
    ],
  },
  createFeed: taken('feed_already_exists', "This environment already has a feed named 'Activities'."),
  deleteFeed: taken('feed_in_use', "The feed is used by a workflow. Remove it from the workflow's steps first."),
  deleteNotificationGroup: taken('notification_group_in_use', 'The notification group still has workflows.'),
  revokeApiKey: taken('last_api_key', 'This is the only live key of the environment. Issue another one first.'),
  createWebhook: taken('too_many_webhooks', 'This environment already has 50 webhooks, which is the limit.'),
  replayWebhookDelivery: {
    409: [
      { code: 'webhook_delivery_pending', message: 'The delivery is still being tried.' },
      { code: 'webhook_inactive', message: 'The webhook is inactive, so nothing is sent to it.' },
    ],
  },
  replayNotification: { 409: NOT_REPLAYABLE },
  replayJob: { 409: NOT_REPLAYABLE },
  cancelNotification: taken(
    'nothing_to_cancel',
    'The notification has ended, or its event is in a digest that is closed already, so nothing is left to cancel.',
  ),
  createNotificationReplay: taken(
    'too_many_replays',
    'This environment already has 10 replays that have not ended, which is the limit. Wait for one to end, or stop one. List them with GET /v1/notifications/replays.',
  ),
  listNotifications: {
    400: [
      {
        code: 'filter_too_broad',
        message:
          'Too many notifications match one of the filters and too few match all of them. Narrow the time with from and to.',
      },
    ],
  },
  listExecutionDetails: { 404: [notFound('subscriber_not_found', "This environment has no subscriber 'ada'.")] },
  listMessages: { 404: [notFound('subscriber_not_found', "This environment has no subscriber 'ada'.")] },
  deleteMessagesOfTransaction: {
    404: [notFound('message_not_found', "No such message exists for the transaction 'order-4711'.")],
  },
  updateInboxPreferences: { 404: [WORKFLOW_MISSING] },
  initializeWidgetSession: SESSION_REFUSED,
  createInboxSession: SESSION_REFUSED,
  receiveProviderCallback: {
    400: [
      { code: 'callback_unreadable', message: 'The body is not what the provider sends.' },
      {
        code: 'callback_host_invalid',
        message:
          'The header Host, or X-Forwarded-Host from a trusted proxy, is not a valid host. Set PUBLIC_URL to the URL that the provider calls.',
      },
    ],
    401: [
      {
        code: 'callback_not_authentic',
        message: 'The callback could not be authenticated, or it is too old.',
      },
      {
        code: 'callback_replayed',
        message:
          'The signature of this callback was already used with different content. Only the provider can sign new content.',
      },
    ],
    404: [notFound('callback_target_not_found', 'There is no active integration whose provider reports by callbacks.')],
    413: [
      {
        code: 'too_many_callback_events',
        message: 'The callback has 6000 events; at most 5000 are taken in one call.',
      },
    ],
    503: [
      {
        code: 'callback_not_verifiable',
        message: 'The origin of the callback cannot be verified at the moment. Send it again.',
      },
    ],
  },
  probeProviderCallback: {
    404: [notFound('callback_target_not_found', 'There is no active integration whose provider reports by callbacks.')],
  },
};

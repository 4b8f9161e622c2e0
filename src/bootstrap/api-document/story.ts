/** No record has it: readers replace it by an id of their own. */
const RECORD_ID = '64f0c1a2b3c4d5e6f7a8b9c0';

const RECORD = (what: string, list: string): PathParameter => ({
  description: `Record id of the ${what}; ${list} lists them.`,
  example: RECORD_ID,
});

interface PathParameter {
  readonly description: string;
  readonly example: string;
}

/** With the identifiers that the examples of bodies use as well. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  subscriberId: { description: 'Your identifier of the subscriber.', example: 'ada' },
  topicKey: { description: 'Your key of the topic.', example: 'order-4711-watchers' },
  segmentId: { description: 'Your identifier of the segment.', example: 'trials' },
  identifier: { description: 'Your identifier of the tenant.', example: 'acme' },
  tenantId: { description: 'Identifier or record id of the tenant.', example: 'acme' },
  stepId: { description: 'Your identifier, `uuid` or id of the step.', example: 'tell-the-customer' },
  version: { description: 'Number of the version.', example: '0' },
  transactionId: { description: 'Transaction id of the event.', example: 'order-4711' },
  providerId: { description: 'Provider of the credentials.', example: 'discord' },
  providerOrIntegrationId: { description: 'Provider of an integration, or its record id.', example: 'nodemailer' },
  level: {
    description: '`global`: the preference for all notifications. `template`: one preference per workflow.',
    example: 'template',
  },
  suppressionId: {
    description: 'Id of the suppression; GET /v1/suppressions lists them.',
    example: 'address-64f0c1a2b3c4d5e6f7a8b9c0-email',
  },
  name: { description: 'Name of the secret.', example: 'CRM_TOKEN' },
  type: { description: 'The button.', example: 'primary' },
  actionType: { description: 'The button.', example: 'primary' },
  change: { description: 'What becomes of the notification.', example: 'read' },
  channel: { description: '`email`, or `sms` for the phone number.', example: 'email' },
  workflowIdentifier: { description: 'Trigger identifier of the workflow.', example: 'order-shipped' },
  layoutIdentifier: { description: 'Your identifier of the layout.', example: 'company' },
  locale: { description: 'Language, with a region if needed; `de_AT` is `de-AT`.', example: 'de' },
  feedName: { description: 'Name of the feed.', example: 'Activities' },
  budgetName: { description: 'Name of the budget.', example: 'five-mails-a-day' },
  groupName: { description: 'Name of the notification group.', example: 'Billing' },
  tenantIdentifier: { description: 'Your identifier of the tenant.', example: 'acme' },
  apiKeyId: RECORD('API key', 'GET /v1/environments/api-keys/all'),
  userId: RECORD('person', 'GET /v1/users'),
  invitationId: RECORD('invitation', 'GET /v1/users/invitations'),
  sessionId: RECORD('session', 'GET /v1/users/me/sessions'),
  budgetId: RECORD('budget', 'GET /v1/budgets'),
  groupId: RECORD('notification group', 'GET /v1/notification-groups'),
  feedId: RECORD('feed', 'GET /v1/feeds'),
  imageId: RECORD('image', 'GET /v1/images'),
  layoutId: RECORD('layout', 'GET /v1/layouts'),
  integrationId: RECORD('integration', 'GET /v1/integrations'),
  overrideId: RECORD('workflow override', 'GET /v1/workflow-overrides'),
  messageId: RECORD('message', 'GET /v1/messages'),
  notificationId: RECORD('notification', 'GET /v1/notifications'),
  jobId: RECORD('job', 'GET /v1/notifications'),
  webhookId: RECORD('webhook', 'GET /v1/webhooks'),
  questionId: RECORD('question', 'GET /v1/questions'),
  deliveryId: RECORD('delivery', 'GET /v1/webhooks/{webhookId}/deliveries'),
};

/** Default for path parameters without an entry above. */
export const ANY_RECORD: PathParameter = { description: 'Record id.', example: RECORD_ID };

/** Some paths take both, others the record id only. */
export const WORKFLOW_BY_ID = RECORD('workflow', 'GET /v1/workflows');
export const WORKFLOW_BY_EITHER: PathParameter = {
  description: 'Trigger identifier or record id of the workflow.',
  example: 'order-shipped',
};

const IN_APP_STEP = {
  name: 'Tell the customer',
  stepId: 'tell-the-customer',
  template: {
    type: 'in_app',
    content: 'Hello {{subscriber.firstName}}, order {{order.number}} is on its way.',
    cta: { type: 'redirect', data: { url: '/orders/{{order.number}}' } },
  },
};

const WORKFLOW = {
  name: 'Order shipped',
  description: 'Tells the customer that the parcel is on its way',
  tags: ['orders'],
};

/** The README creates a workflow of this name and with these variables, so that a trigger can meet either. */
const NEW_WORKFLOW = { ...WORKFLOW, active: true };

const ADA = { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const GRACE = { subscriberId: 'grace', firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
const ORDER = { order: { number: 4711, total: 99.5 } };

const BUDGET = { name: 'five-mails-a-day', channels: ['email'], max: 5 };

/** One body, or several with titles; Swagger UI fills in the first. */
export type BodyExamples = Readonly<Record<string, object>>;

/**
 * Bodies for "Try it out", by operation, where all fields of the schema together make no sensible request. They tell one
 * story: one operation triggers the workflow that another creates.
 */
export const BODIES: Readonly<Record<string, BodyExamples>> = {
  createBudget: {
    'Five mails a day': BUDGET,
    'One text message in any two hours': {
      name: 'sms-in-two-hours',
      channels: ['sms'],
      max: 1,
      window: 'rolling',
      amount: 2,
      unit: 'hours',
    },
  },
  updateAlerts: {
    'Tell the members of a topic': { isOn: true, topic: 'on-call', timezone: 'Europe/Berlin' },
    'A report each day, and nothing else': { isOn: true, kinds: ['daily_report'], reportAt: '07:30' },
  },
  issueApiKey: {
    'A key for a server': { name: 'ci', scopes: ['trigger', 'read'] },
    'A key for an agent, which sends to few people at once': {
      name: 'Claude',
      kind: 'agent',
      scopes: ['read', 'trigger'],
      limits: { notifications: 60, people: 30, periodMinutes: 60, approvalAbove: 5, approvers: ['ada'] },
    },
  },
  updateApiKey: {
    'Sends to more people, and at any time': { limits: { notifications: 200, people: 100, sendWindow: null } },
  },
  createQuestion: {
    'Approve or refuse, within a day': {
      title: 'Deploy version 4.2?',
      body: 'All tests have passed.',
      subscribers: ['ada'],
      expiresIn: 86_400,
      default: 'refuse',
    },
    'A choice, with a reminder after an hour': {
      title: 'Which one?',
      kind: 'choose',
      options: [
        { id: 'red', label: 'The red one' },
        { id: 'blue', label: 'The blue one' },
      ],
      subscribers: ['ada'],
      expiresIn: 86_400,
      remindAfter: 3_600,
    },
  },
  updatePreferencesV2: { 'No mails of one workflow': { workflowId: 'order-shipped', channels: { email: false } } },
  replaceBudget: { 'Five mails a day': BUDGET },
  defineBudget: { 'Five mails a day': BUDGET },
  createWorkflow: {
    'One in-app message': { ...NEW_WORKFLOW, steps: [IN_APP_STEP] },
    'Email for large orders, one hour later': {
      ...NEW_WORKFLOW,
      name: 'Large order shipped',
      steps: [
        { name: 'Wait', template: { type: 'delay' }, metadata: { type: 'regular', amount: 1, unit: 'hours' } },
        {
          name: 'Mail',
          template: {
            type: 'email',
            subject: 'Order {{order.number}} is on its way',
            contentType: 'customHtml',
            content: '<p>Hello {{subscriber.firstName}}, your order is on its way.</p>',
          },
          filters: [
            {
              value: 'AND',
              children: [{ on: 'payload', field: 'order.total', operator: 'LARGER', value: '50' }],
            },
          ],
        },
      ],
    },
    'Digest of ten minutes by customer': {
      ...NEW_WORKFLOW,
      name: 'Orders of the last minutes',
      steps: [
        {
          name: 'Collect',
          template: { type: 'digest' },
          metadata: { type: 'regular', amount: 10, unit: 'minutes', digestKey: 'customer.id' },
        },
        { name: 'Sum up', template: { type: 'in_app', content: '{{step.total_count}} orders are on their way.' } },
      ],
    },
  },
  defineWorkflow: {
    'One in-app message': {
      identifier: 'order-shipped',
      ...WORKFLOW,
      notificationGroup: 'General',
      active: true,
      steps: [IN_APP_STEP],
    },
  },
  defineWorkflowOverride: {
    'No email for one tenant': { workflow: 'order-shipped', tenant: 'acme', preferenceSettings: { email: false } },
  },
  updateWorkflow: { 'A new text': { ...WORKFLOW, steps: [IN_APP_STEP] } },
  updateWorkflowByOlderPath: { 'A new text': { ...WORKFLOW, steps: [IN_APP_STEP] } },
  updateWorkflowStatus: { Active: { active: true } },
  triggerEvent: {
    'One subscriber, created by the trigger': { name: 'order-shipped', to: ADA, payload: ORDER },
    'Several subscribers': { name: 'order-shipped', to: ['ada', GRACE], payload: ORDER },
    'With an actor and an override': {
      name: 'order-shipped',
      to: 'ada',
      actor: 'grace',
      payload: ORDER,
      overrides: { email: { subject: 'Your order has left us' } },
    },
    'Without waiting, in Development': { name: 'order-shipped', to: 'ada', payload: ORDER, skipWaits: true },
  },
  dryRunEvent: {
    'Preview for a subscriber that does not exist yet': { name: 'order-shipped', to: ADA, payload: ORDER },
    'As if no step waited': { name: 'order-shipped', to: ADA, payload: ORDER, skipWaits: true },
  },
  previewDraftStep: {
    'A text message': {
      step: { template: { type: 'sms', content: 'Order {{order.number}} is on its way.' } },
      payload: ORDER,
    },
  },
  previewWorkflowImpact: { 'Another text in place of all steps': { steps: [IN_APP_STEP] } },
  previewStep: {
    'For a subscriber who is not stored': { subscriber: ADA, payload: ORDER },
    'Content that is not stored yet': {
      subscriber: ADA,
      payload: ORDER,
      template: { content: 'Good news, {{subscriber.firstName}}: order {{order.number}} is on its way.' },
    },
  },
  testStep: { 'To a stored subscriber': { subscriber: 'ada', payload: ORDER } },
  triggerEvents: {
    'Two events': {
      events: [
        { name: 'order-shipped', to: 'ada', payload: ORDER },
        { name: 'order-shipped', to: GRACE, payload: { order: { number: 4712, total: 12 } } },
      ],
    },
  },
  broadcastEvent: { 'To all subscribers': { name: 'order-shipped', payload: ORDER } },
  createSubscriber: {
    'A subscriber': { ...ADA, phone: '+15551230100', locale: 'en-GB', data: { plan: 'pro' } },
  },
  bulkCreateSubscribers: { 'Two subscribers': { subscribers: [ADA, GRACE] } },
  updateSubscriber: { 'Name and data': { firstName: 'Ada', lastName: 'Lovelace', data: { plan: 'pro' } } },
  setSubscriberCredentials: {
    'Chat: a webhook': {
      providerId: 'discord',
      credentials: { webhookUrl: 'https://discord.com/api/webhooks/4711/token' },
    },
  },
  addSubscriberCredentials: {
    'Chat: a webhook': {
      providerId: 'discord',
      credentials: { webhookUrl: 'https://discord.com/api/webhooks/4711/token' },
    },
  },
  createChatLink: { Telegram: { providerId: 'telegram' } },
  setSubscriberOnlineStatus: { Online: { isOnline: true } },
  createIntegration: {
    'Email over SMTP, not active yet': {
      providerId: 'nodemailer',
      channel: 'email',
      name: 'SMTP of the shop',
      credentials: {
        host: 'smtp.example.com',
        port: '587',
        user: 'shop',
        password: 'secret',
        from: 'shop@example.com',
      },
      active: false,
    },
    'Chat over Discord': { providerId: 'discord', channel: 'chat', name: 'Discord', active: true },
  },
  updateIntegration: { 'Another name': { name: 'SMTP of the shop' } },
  createWorkflowOverride: {
    'No email for one tenant': {
      workflowId: 'order-shipped',
      tenantId: 'acme',
      active: true,
      preferenceSettings: { email: false },
    },
  },
  updateWorkflowOverride: { 'No email': { active: true, preferenceSettings: { email: false } } },
  updateWorkflowOverrideByPair: { 'No email': { active: true, preferenceSettings: { email: false } } },
  updateGlobalPreference: { 'No sms': { preferences: [{ type: 'sms', enabled: false }], enabled: true } },
  updateWorkflowPreference: { 'No email for this workflow': { channel: { type: 'email', enabled: false } } },
  updateTenant: { 'Name and data': { name: 'Acme Corporation', data: { plan: 'gold' } } },
  updateWebhook: { 'Other events': { events: ['message.failed', 'message.bounced'], active: true } },
  updateLayout: { 'Another description': { description: 'Logo and legal footer' } },
  actOnMessage: { 'The button was used': { status: 'done', payload: { choice: 'accepted' } } },
  markMessages: { Read: { messageId: [RECORD_ID], markAs: 'read' } },
  markMessagesLegacy: { Read: { messageId: [RECORD_ID], mark: { seen: true, read: true } } },
  markAllMessages: { Read: { markAs: 'read' } },
};

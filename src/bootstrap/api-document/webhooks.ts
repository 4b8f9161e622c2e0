import { STEP_TYPES } from '#libs/plugins';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../outcomes/webhooks/index.js';
import type { ApiSchema, Operation, Parameter } from './openapi.types.js';

const SENT_WHEN: Readonly<Record<WebhookEventType, string>> = {
  'message.sent': 'The provider accepted a message, or it is in the feed. Sent once for each message.',
  'message.failed': 'A message failed: nothing further will be tried, or the provider refused it afterwards.',
  'message.delivered': 'The provider reports that it delivered a message.',
  'message.bounced': 'The provider reports that a message bounced.',
  'message.opened': 'A mail was opened: the provider reports it, or Herald follows opens itself. Sent each time.',
  'message.clicked':
    'A link of a message was clicked: the provider reports it, or Herald follows clicks itself. Sent each time.',
  'message.complained': 'The provider reports that the recipient marked a message as spam.',
  'message.seen': 'A subscriber has seen an in-app message.',
  'message.read': 'A subscriber has read an in-app message.',
  'message.action': 'A button of an in-app message was used or reset.',
  'event.completed': 'Everything that an event caused is done: all its notifications exist and have ended. Sent once.',
  'question.answered':
    'A question has its outcome: it was answered, or it ended without a decision, expired or was canceled. Sent once for each question.',
  'suppression.added':
    'A provider reported a bounce or a complaint about an address, or the address was suppressed by a call.',
  'suppression.lifted': 'A suppression was lifted by a call.',
  'integration.down':
    'The provider of an integration does not answer any more, so messages pass it over or wait. Sent once for each outage.',
  'integration.up': 'The provider of an integration answers again.',
  'preference.changed':
    'A channel was switched on or off for a subscriber: by a link in a message, on the preference page, in the Inbox or over the API.',
  'audit.recorded':
    'The audit log has a new entry: somebody changed something, signed in or exported data. Sent once for each.',
};

const SIGNATURE_HEADERS: readonly Parameter[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the request, the same for each attempt: use it to ignore repeated requests.',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Time of this attempt, in seconds since 1970. Refuse requests that are older than five minutes.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'Signatures, separated by spaces: for each valid secret `v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` ' +
      'in base64, keyed with the bytes that the secret encodes in base64 after `whsec_`.',
    schema: { type: 'string' },
  },
];

export function describeWebhooks(): Record<string, { post: Operation }> {
  const events = WEBHOOK_EVENT_TYPES.map((type) => [type, { post: eventRequest(type) }] as const);
  return { ...Object.fromEntries(events), condition: { post: conditionRequest() } };
}

/** Of events that are not about a message. */
const BODIES: Readonly<Partial<Record<WebhookEventType, string>>> = {
  'event.completed': 'EventCompletedResponse',
  'preference.changed': 'PreferenceChangedEventResponse',
  'question.answered': 'QuestionAnsweredEventResponse',
  'suppression.added': 'SuppressionEventResponse',
  'suppression.lifted': 'SuppressionEventResponse',
  'integration.down': 'IntegrationHealthEventResponse',
  'integration.up': 'IntegrationHealthEventResponse',
  'audit.recorded': 'AuditRecordedEventResponse',
};

function eventRequest(type: WebhookEventType): Operation {
  return {
    operationId: `on${pascal(type)}`,
    summary: `Receives ${type}`,
    description: `${SENT_WHEN[type]} Sent to the URLs of [webhooks](#/Webhooks/createWebhook) that name this event.`,
    tags: ['Webhooks'],
    ...signed({ $ref: `#/components/schemas/${BODIES[type] ?? 'WebhookEventResponse'}` }),
    responses: {
      '2XX': { description: 'The event was received. Respond within ten seconds.' },
      '410': { description: 'The webhook becomes inactive.' },
      default: { description: 'Herald sends the event again later.' },
    },
  };
}

function conditionRequest(): Operation {
  return {
    operationId: 'onCondition',
    summary: 'Receives the question of a condition',
    description:
      'A condition with `on: "webhook"` asks its `webhookUrl` and compares a field of the response. Signed with the secret of ' +
      '[condition webhooks](#/Condition%20webhooks/getConditionSecret).',
    tags: ['Condition webhooks'],
    ...signed(CONDITION_BODY),
    responses: {
      '2XX': {
        description: 'An object; the condition compares the field that it names.',
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
      default: { description: 'Herald asks again, and the step fails if no attempt succeeds.' },
    },
  };
}

const CONDITION_BODY: ApiSchema = {
  type: 'object',
  properties: {
    subscriber: { type: 'object', additionalProperties: true, description: 'The subscriber, with its `data`.' },
    payload: { type: 'object', additionalProperties: true, description: 'Payload of the event.' },
    identifier: { type: 'string', description: 'Trigger identifier of the workflow.' },
    channel: {
      type: 'string',
      enum: STEP_TYPES.run,
      description: 'Type of the step.',
    },
  },
  required: ['subscriber', 'payload', 'identifier', 'channel'],
};

function signed(schema: ApiSchema): Pick<Operation, 'security' | 'parameters' | 'requestBody'> {
  return {
    security: [],
    parameters: [...SIGNATURE_HEADERS],
    requestBody: { required: true, content: { 'application/json': { schema } } },
  };
}

function pascal(type: string): string {
  return type.replace(/(?:^|\.)(\w)/g, (_match, first: string) => first.toUpperCase());
}

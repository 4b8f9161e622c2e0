const STEPS = 'src/content/workflows/steps/step.schema.ts';
const TEMPLATE = 'libs/templates/src/template-words.ts';
const CONDITION = 'libs/conditions/src/condition.schema.ts';
const JSON_BODY = 'libs/http-kit/src/validation/hostile-json.ts';

/** What docs/manual/limits.md lists, by table: meaning, file, constant, unit. */
export const LIMITS = {
  workflows: [
    ['Steps of a workflow', STEPS, 'MAX_STEPS'],
    ['Variants of a step', STEPS, 'MAX_VARIANTS'],
    ['Size of a workflow', 'src/content/workflows/workflow-writes.ts', 'MAX_SIZE_BYTES', 'bytes'],
    ['Tags of a workflow', 'src/content/workflows/workflow.dto.ts', 'MAX_TAGS'],
    ['Names and identifiers', 'libs/http-kit/src/validation/decorators.ts', 'NAME_LENGTH', 'characters'],
    ['Blocks of a mail', TEMPLATE, 'MAX_BLOCKS'],
    ['Buttons of an in-app message', TEMPLATE, 'MAX_BUTTONS'],
    ['Declared variables of a template or layout', TEMPLATE, 'MAX_VARIABLES'],
    ['Groups of conditions', CONDITION, 'MAX_GROUPS'],
    ['Conditions of a group', CONDITION, 'MAX_CHILDREN'],
    ['Entries of a list that a condition compares with', CONDITION, 'MAX_LIST_LENGTH'],
    ['Text that a condition compares with', CONDITION, 'MAX_VALUE_LENGTH', 'characters'],
  ],
  rendering: [
    ['Source of a template', 'libs/templates/src/syntax.ts', 'MAX_SOURCE_BYTES', 'bytes'],
    ['Subject, title, preheader, sender name, text of a button', TEMPLATE, 'MAX_LINE_LENGTH', 'characters'],
    ['URL of a link or button', TEMPLATE, 'MAX_URL_LENGTH', 'characters'],
    ['Expressions of a template', 'libs/templates/src/syntax-policy.ts', 'MAX_EXPRESSIONS'],
    ['Characters of an expression', 'libs/templates/src/template-size.ts', 'MAX_EXPRESSION'],
    ['Names, values and signs of an expression', 'libs/templates/src/template-size.ts', 'MAX_PARTS'],
    [
      'Names, values and signs of all expressions of a template, and of a step',
      'libs/templates/src/template-size.ts',
      'MAX_ALL_PARTS',
    ],
    ['Nesting of blocks and expressions', 'libs/templates/src/syntax-policy.ts', 'MAX_NESTING', 'levels'],
    ['Passes through blocks and loops', 'libs/templates/src/render-budget.ts', 'MAX_ITERATIONS'],
    ['Entries of a list that a helper takes', 'libs/templates/src/helpers.ts', 'MAX_LIST'],
    ['Levels of MJML', 'libs/templates/src/mjml.ts', 'MAX_DEPTH'],
    ['Elements of MJML', 'libs/templates/src/mjml.ts', 'MAX_ELEMENTS'],
    ['Pictures of carousels in MJML', 'libs/templates/src/mjml.ts', 'MAX_CAROUSEL_IMAGES'],
    ['Computing time of the conditions of a step', 'libs/conditions/src/condition-budget.ts', 'MAX_COMPUTING_MS', 'ms'],
    ['Answer of a webhook of a condition', 'src/engine/delivery/steps/condition-webhook.ts', 'TIMEOUT_MS', 'ms'],
    ['Calls of such a webhook', 'src/engine/delivery/steps/step-gate.ts', 'MAX_WEBHOOK_ATTEMPTS'],
  ],
  events: [
    ['Events of a bulk call', 'src/engine/events/event.dto.ts', 'MAX_EVENTS'],
    [
      'Size of an event with its recipients, without files',
      'src/engine/events/event-draft.ts',
      'MAX_EVENT_BYTES',
      'bytes',
    ],
    ['Files of an event', 'src/engine/events/attachments.ts', 'MAX_FILES'],
    ['Pictures inside of a mail', 'src/engine/delivery/steps/email/mail-files.ts', 'MAX_PICTURES'],
    ['All pictures inside of a mail', 'src/engine/delivery/steps/email/mail-files.ts', 'MAX_PICTURE_BYTES', 'bytes'],
    ['Keys and entries of a free-form object (payload, data)', JSON_BODY, 'MAX_VALUES'],
    ['Keys of one object in it', JSON_BODY, 'MAX_OBJECT_KEYS'],
    ['Keys and entries of a body', JSON_BODY, 'MAX_KEYS'],
    ['Nesting of a body', JSON_BODY, 'MAX_DEPTH', 'levels'],
    ['An idempotency key', 'src/http/idempotency/idempotency.interceptor.ts', 'MAX_KEY_LENGTH', 'characters'],
    [
      'Time for which the response to an idempotency key is kept',
      'src/http/idempotency/idempotency.service.ts',
      'KEPT_MS',
      'ms',
    ],
  ],
  records: [
    ['Subscribers of a bulk call', 'src/audience/subscribers/subscriber.dto.ts', 'MAX_BULK'],
    [
      'Chat and push entries of a subscriber that one call sets',
      'src/audience/subscribers/subscriber.dto.ts',
      'MAX_CHANNELS',
    ],
    ['Device tokens of an entry', 'src/audience/subscribers/subscriber.dto.ts', 'MAX_DEVICE_TOKENS'],
    [
      'Browsers with web push of a subscriber, and devices of a provider that registered themselves',
      'src/browser/push-subscriptions/push-subscriptions.service.ts',
      'MAX_TARGETS',
    ],
    ['Subscribers that one call adds to a topic', 'src/audience/topics/topic.dto.ts', 'MAX_SUBSCRIBERS'],
    ['Messages that one call marks', 'src/engine/messages/marks/message.dto.ts', 'MAX_MESSAGES'],
    ['Value of a credential', 'src/channels/integrations/credentials.ts', 'MAX_CREDENTIAL_LENGTH', 'characters'],
    ['Webhook endpoints of an environment', 'src/outcomes/webhooks/webhooks.service.ts', 'MAX_WEBHOOKS'],
    ['Answer of a provider that is read', 'libs/channels/src/http/response-body.ts', 'MAX_ANSWER_BYTES', 'bytes'],
  ],
};

import type { ApiSchema } from './openapi.types.js';

/** Common fields; a description in the class itself wins. */
const COMMON: Readonly<Record<string, string>> = {
  _id: 'Record id.',
  id: 'Equal to `_id`.',
  _environmentId: 'Id of the environment.',
  _organizationId: 'Id of the organization.',
  _creatorId: 'Id of the user whose API key created it.',
  _userId: 'Id of the user who owns the key.',
  _notificationId: 'Id of the notification: the run of the workflow for this recipient.',
  _workflowId: 'Record id of the workflow.',
  _tenantId: 'Record id of the tenant.',
  _feedId: 'Id of the feed.',
  _topicId: 'Id of the topic.',
  _webhookId: 'Id of the webhook.',
  _messageId: 'Id of the message.',
  deleted: 'Whether the record is deleted.',
  createdAt: 'Time of creation.',
  updatedAt: 'Time of the last change.',
  __v: 'Version of the record.',
  transactionId: 'Transaction id of the event: the one that was sent with the trigger, or a generated one.',
};

/** Counts; amounts of time may have fractions. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set([
  '__v',
  'attempt',
  'attempts',
  'count',
  'lastStatusCode',
  'matched',
  'monthlySent',
  'page',
  'pageSize',
  'priority',
  'received',
  'statusCode',
  'weeklySent',
]);

/** Responses with members of the client's own. */
const OPEN_RESPONSES: ReadonlySet<string> = new Set(['StepTemplateResponse']);

export function completeProperties(schemas: Readonly<Record<string, ApiSchema>>): void {
  for (const [schemaName, schema] of Object.entries(schemas)) {
    if (OPEN_RESPONSES.has(schemaName)) schema.additionalProperties = true;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (property.type === 'number' && WHOLE_NUMBERS.has(name)) property.type = 'integer';
      lengthsOfItems(property);
      if (property.$ref === undefined && COMMON[name] !== undefined) property.description ??= COMMON[name];
    }
  }
}

/** class-validator's decorators put the length of entries on the list, where it means nothing. */
export function lengthsOfItems(schema: ApiSchema): void {
  if (schema.type !== 'array' || schema.items === undefined) return;
  const { minLength, maxLength } = schema;
  delete schema.minLength;
  delete schema.maxLength;
  if (schema.items.type !== 'string' || schema.items['enum'] !== undefined) return;
  if (minLength !== undefined) schema.items.minLength ??= minLength;
  if (maxLength !== undefined) schema.items.maxLength ??= maxLength;
}

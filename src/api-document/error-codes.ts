/** One error as an example. `{name}` is replaced by a path parameter. */
export interface ErrorExample {
  readonly code: string;
  readonly message: string | readonly string[];
  /** Key of the example; by default the code. */
  readonly name?: string;
}

export const SESSION_INVALID: ErrorExample = {
  name: 'session_invalid',
  code: 'unauthorized',
  message:
    "The session token is missing, expired or not valid. Create a session and send its token as 'Authorization: Bearer <token>'.",
};

/** The statuses that every operation can have, with the default example of each. */
export const BY_STATUS: Readonly<Record<string, ErrorExample & { readonly description: string }>> = {
  400: {
    description: 'The input is invalid; `message` lists every fault with the path of its field.',
    code: 'validation_failed',
    message: ['name must be a string'],
  },
  401: {
    description: 'The API key is missing, unknown, revoked or expired.',
    code: 'unauthorized',
    message: "The request carries no API key. Send it as 'Authorization: ApiKey <your key>'.",
  },
  403: {
    description: 'The API key lacks the scope, or the request exceeds the rights of the key.',
    code: 'scope_missing',
    message:
      "This needs an API key with the scope '{scope}', which yours lacks. A key with the scope 'admin' can issue one.",
  },
  404: { description: 'The environment has no such record.', code: 'not_found', message: 'Not found.' },
  409: {
    description: 'The request conflicts with the current state, or the same request is still being processed.',
    code: 'idempotency_key_in_progress',
    message:
      'A request with this Idempotency-Key is still being processed. Send it again in a second to get its result.',
  },
  413: {
    description: 'The body is larger than the limit of the route.',
    code: 'body_too_large',
    message: 'The body is larger than the limit of 1048576 bytes for this route.',
  },
  415: {
    description: 'The body is not JSON.',
    code: 'unsupported_media_type',
    message: 'Send the body as Content-Type: application/json.',
  },
  422: {
    description: 'The request is well-formed but cannot be processed.',
    code: 'idempotency_key_reused',
    message:
      'This Idempotency-Key was already used on this route with a different body or API key. Use a new key for a new request.',
  },
  429: {
    description: 'Too many requests; `Retry-After` says when to retry.',
    code: 'rate_limited',
    message: "This environment has exceeded its rate limit in the category 'global'. Try again in 1 s.",
  },
  503: {
    description: 'The store is temporarily unavailable; retry after the number of seconds in `Retry-After`.',
    code: 'store_unavailable',
    message:
      'The store is temporarily unavailable. It is not known whether the change was made: check before you repeat it. ' +
      'A trigger can be repeated safely with the same transactionId.',
  },
};

export const notFound = (code: string, message: string): ErrorExample => ({ code, message });

/** The error for a path parameter that names no record, by its name. */
export const NOT_FOUND: Readonly<Record<string, ErrorExample>> = {
  subscriberId: notFound(
    'subscriber_not_found',
    "This environment has no subscriber '{subscriberId}'. Create it with POST /v1/subscribers or check the API key.",
  ),
  workflowId: notFound(
    'workflow_not_found',
    "This environment has no workflow '{workflowId}'. List them with GET /v1/workflows or create it with POST /v1/workflows.",
  ),
  stepId: notFound('step_not_found', "The workflow has no step '{stepId}'."),
  tenantId: notFound(
    'tenant_not_found',
    "This environment has no tenant '{tenantId}'. List them with GET /v1/tenants.",
  ),
  identifier: notFound(
    'tenant_not_found',
    "This environment has no tenant '{identifier}'. List them with GET /v1/tenants or create it with POST /v1/tenants.",
  ),
  topicKey: notFound('topic_not_found', "This environment has no topic with the key '{topicKey}'."),
  replayId: notFound(
    'notification_replay_not_found',
    "This environment has no replay with the id '{replayId}'. List them with GET /v1/notifications/replays.",
  ),
  apiKeyId: notFound('api_key_not_found', "This environment has no API key with the id '{apiKeyId}'."),
  groupId: notFound(
    'notification_group_not_found',
    "This environment has no notification group with the id '{groupId}'.",
  ),
  feedId: notFound(
    'feed_not_found',
    "This environment has no feed with the id '{feedId}'. List them with GET /v1/feeds.",
  ),
  layoutId: notFound('layout_not_found', "This environment has no layout with the id '{layoutId}'."),
  integrationId: notFound('integration_not_found', "This environment has no integration '{integrationId}'."),
  providerOrIntegrationId: notFound(
    'integration_not_found',
    "This environment has no integration '{providerOrIntegrationId}'.",
  ),
  overrideId: notFound('workflow_override_not_found', "This environment has no workflow override '{overrideId}'."),
  messageId: notFound('message_not_found', "This environment has no message with the id '{messageId}'."),
  notificationId: notFound(
    'notification_not_found',
    "This environment has no notification with the id '{notificationId}'.",
  ),
  jobId: notFound('job_not_found', "The notification has no job with the id '{jobId}'."),
  webhookId: notFound('webhook_not_found', "This environment has no webhook with the id '{webhookId}'."),
  deliveryId: notFound('webhook_delivery_not_found', "The webhook has no delivery with the id '{deliveryId}'."),
};

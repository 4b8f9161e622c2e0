import { DOCS_PATH } from '#libs/http-kit';

export const DESCRIPTION = `Herald delivers notifications in-app and by email, SMS, chat and push. You describe a workflow once, then trigger it; Herald renders, waits, digests, delivers, retries, and records what happened to each message.

## First delivery

1. Press **Authorize** and paste your API key. \`npm start\` writes it to \`DATA_DIR/api-key\`.
2. Send the example of [Create a workflow](#/Workflows/createWorkflow).
3. Send the example of [Trigger an event](#/Events/triggerEvent). It creates the subscriber \`ada\` and delivers an in-app message.
4. Read it with [List the feed of a subscriber](#/Messages%20of%20a%20subscriber/getFeed), and see each step in [List notifications](#/Notifications/listNotifications).

The examples belong together: the workflow \`order-shipped\`, the subscriber \`ada\`, the tenant \`acme\`, the topic \`order-4711-watchers\`. Replace the record id \`64f0c1a2b3c4d5e6f7a8b9c0\` by the \`_id\` of one of your records.

## Conventions

- Successful responses wrap their result in \`data\`. Pages add \`page\`, \`pageSize\` and \`hasMore\`, some also \`totalCount\`.
- Errors have one shape: \`statusCode\`, \`timestamp\`, \`path\`, \`message\`, \`error\` and a stable \`code\`. With \`validation_failed\` and \`steps_not_runnable\`, \`message\` lists every fault with the path of its field.
- Record ids are 24 hexadecimal digits. Timestamps are ISO 8601 in UTC with milliseconds.
- Every POST and PATCH takes an \`Idempotency-Key\`: for 24 hours, the same key and body return the first response again.
- An API key belongs to one environment and cannot see any other.
- Body fields and query parameters that a request does not take are ignored and named in the header \`Herald-Warning\`.`;

/** Only where the documentation is served. */
export function docsLinks(publicPath: string): string {
  const docs = publicPath + DOCS_PATH;
  return `## Documentation

[Manual](${docs}/manual) · [Tutorial](${docs}/manual/tutorial) · [Troubleshooting](${docs}/troubleshooting) · [Errors](${docs}/errors) · [Limits](${docs}/manual/limits) · [Providers](${docs}/providers) · [Webhooks](${docs}/webhooks) · [Compatibility](${docs}/compatibility). Every error has a \`Link\` header that leads to its code.`;
}

export const SECURITY_DESCRIPTION =
  'Your API key, as `ApiKey <key>`. The forms `Bearer <key>` and the bare key are accepted as well, and so is the header ' +
  '`X-Api-Key`.';

export const SUBSCRIBER_DESCRIPTION =
  'The session token of a subscriber, from POST /v1/widgets/session/initialize or POST /v1/inbox/session. The widget and inbox ' +
  'routes accept nothing else, and no other route accepts it.';

/** In the order in which a new user needs them. */
export const TAGS: readonly (readonly [name: string, description: string])[] = [
  [
    'Events',
    'Trigger workflows for subscribers, topics or all subscribers; cancel events that are not fully delivered.',
  ],
  ['Workflows', 'Definitions of what to send, on which channels, when and under which conditions.'],
  ['Subscribers', 'The recipients of notifications: profile, addresses, credentials for chat and push.'],
  ['Topics', 'Named groups of subscribers that a trigger can address at once.'],
  ['Integrations', 'The providers that deliver on each channel, with their credentials. In-app needs none.'],
  [
    'Notifications',
    'Results of triggers: one notification for each recipient, with its steps. Failed steps can be replayed.',
  ],
  ['Activity', 'Health of the deliveries of an environment, by channel and provider.'],
  ['Execution details', 'The events in the steps of one notification, in order.'],
  ['Messages', 'Delivered messages, on all channels.'],
  [
    'Messages of a subscriber',
    'The in-app feed of a subscriber: list, count, mark as seen or read, record the use of a button.',
  ],
  ['Browser clients', 'Sessions of subscribers, and what the notification bell and the Inbox call with them.'],
  ['Preferences', 'Channels and workflows that a subscriber has enabled.'],
  ['Suppressions', 'Addresses and people that get nothing: bounces, complaints, unsubscriptions, and what you add.'],
  ['Budgets', 'How many messages a person gets in a day or in a stretch of time, over all workflows.'],
  ['Segments', 'Subscribers whose profile and data pass conditions: count them, send to them.'],
  ['Tenants', 'Your customers, on whose behalf you send notifications.'],
  ['Workflow overrides', 'Settings of a workflow for one tenant: whether it is active, and its channels.'],
  ['Layouts', 'HTML around the content of emails.'],
  ['Images', 'Pictures of mails, at an address that everybody can load.'],
  ['Translations', 'Words of messages in the languages of their readers, for `{{t}}` in templates.'],
  ['Feeds', 'Categories of in-app messages.'],
  ['Notification groups', 'Folders of workflows.'],
  [
    'Definitions',
    'Workflows, layouts, feeds, groups, overrides and budgets by identifier and without ids, as files hold them: create or replace, in one write.',
  ],
  ['Webhooks', 'Your URLs that Herald calls when the state of a message changes.'],
  ['Secrets', 'Named values that requests of workflows use, and that nobody can read.'],
  ['Condition webhooks', 'The secret with which Herald signs its requests to condition webhooks.'],
  [
    'Provider callbacks',
    'Endpoints to which providers report deliveries, bounces and opens. Called by providers, not by you.',
  ],
  ['Questions', 'Ask people to approve, choose or say something: one outcome each, whatever happens.'],
  ['Schedules', 'Trigger workflows at the times of a rule, or once at a time.'],
  ['Users', 'People who sign in to the console: their roles, invitations and sessions.'],
  ['Audit log', 'Who changed what, when and from where.'],
  ['Environments', 'Development and Production, and their API keys.'],
  ['Organizations', 'Name and branding of your organization.'],
  [
    'v2',
    'Subscribers and topics as later clients of the compatible system call them: the same records, with pages that are linked by cursors.',
  ],
  ['Testing', 'What would have gone out, in an environment that sends nothing. The time of a Herald for tests.'],
  ['Alerts', 'Who is told when something is wrong with deliveries.'],
  ['Health', 'Readiness of the service. Requires no key.'],
];

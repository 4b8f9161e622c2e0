// What is asked of a small and of a large store: every list with its filters, every count and what the pages of the console read.
// `{name}` stands for an id of the store that is asked.
const payload = Buffer.from(JSON.stringify({ name: 'Ann' })).toString('base64');
const filters = encodeURIComponent(JSON.stringify([{ read: false }, { archived: true }]));

export const QUESTIONS = {
  'subscribers: list': '/v1/subscribers?limit=10',
  'subscribers: page 5': '/v1/subscribers?limit=10&page=5',
  'subscribers: by email': '/v1/subscribers?email=subscriber-77@example.com',
  'subscribers: by phone': '/v1/subscribers?phone=%2B4915100000070',
  'subscribers: by name': '/v1/subscribers?name=name 77',
  'subscribers: by the beginning of the id': '/v1/subscribers?subscriberId=subscriber-77',
  'subscribers: one': '/v1/subscribers/target',
  'subscribers: why nothing came': '/v1/subscribers/target/why?workflow=hello-0',
  'subscribers: export of one': '/v1/subscribers/target/export?limit=100',
  'preferences of a subscriber': '/v1/subscribers/target/preferences',
  'topics: list': '/v1/topics',
  'topics: one': '/v1/topics/few',
  'topics: is a member': '/v1/topics/everybody/subscribers/target',

  'messages: list': '/v1/messages?limit=10',
  'messages: page 50': '/v1/messages?limit=10&page=50',
  'messages: of a channel': '/v1/messages?channel=in_app',
  'messages: of a channel without any': '/v1/messages?channel=push',
  'messages: of a subscriber': '/v1/messages?subscriberId=target',
  'messages: of a subscriber and a channel': '/v1/messages?subscriberId=target&channel=email',
  'messages: of a transaction': '/v1/messages?transactionId={transaction}',
  'messages: caught': '/v1/catcher/messages',
  'feed: first page': '/v1/subscribers/target/notifications/feed',
  'feed: by payload': `/v1/subscribers/target/notifications/feed?payload=${payload}`,
  'feed: unread': '/v1/subscribers/target/notifications/feed?read=false',
  'count: unseen': '/v1/subscribers/target/notifications/unseen',
  'count: seen': '/v1/subscribers/target/notifications/unseen?seen=true',
  'inbox: list': '/v1/inbox/notifications',
  'inbox: unread': '/v1/inbox/notifications?read=false',
  'inbox: archived': '/v1/inbox/notifications?archived=true',
  'inbox: counts': `/v1/inbox/notifications/count?filters=${filters}`,
  'inbox: preferences': '/v1/inbox/preferences',

  'notifications: list': '/v1/notifications?limit=10',
  'notifications: page 50': '/v1/notifications?limit=10&page=50',
  'notifications: one': '/v1/notifications/{notification}',
  'notifications: details of one': '/v1/execution-details?subscriberId=target&notificationId={notification}',
  'notifications: of a subscriber': '/v1/notifications?subscriberIds=target',
  'notifications: of an address': '/v1/notifications?emails=subscriber-77@example.com',
  'notifications: of a transaction': '/v1/notifications?transactionId={transaction}',
  'notifications: of a workflow': '/v1/notifications?templates={workflow}',
  'notifications: of a workflow without any': '/v1/notifications?templates={notification}',
  'notifications: of a channel': '/v1/notifications?channels=in_app',
  'notifications: of a channel without any': '/v1/notifications?channels=chat',
  'notifications: completed': '/v1/notifications?status=completed',
  'notifications: failed': '/v1/notifications?status=failed',
  'notifications: canceled': '/v1/notifications?status=canceled',
  'notifications: merged, without any': '/v1/notifications?status=merged',
  'notifications: active': '/v1/notifications?status=active',
  'notifications: dead': '/v1/notifications?status=dead',
  'notifications: dead letters': '/v1/notifications?deadLetter=true',
  'notifications: failed or canceled': '/v1/notifications?status=failed&status=canceled',
  'notifications: of a day': '/v1/notifications?from={dayFrom}&to={dayTo}',
  'notifications: failed on a day': '/v1/notifications?status=failed&from={dayFrom}&to={dayTo}',
  'notifications: failed, of a workflow': '/v1/notifications?status=failed&templates={workflow}',
  'notifications: failed, of a channel': '/v1/notifications?status=failed&channels=sms',
  'notifications: failed, of a transaction': '/v1/notifications?status=failed&transactionId={transaction}',
  'notifications: of a channel on a day': '/v1/notifications?channels=sms&from={dayFrom}&to={dayTo}',
  'notifications: of a subscriber and a channel': '/v1/notifications?subscriberIds=target&channels=in_app',
  'notifications: of a subscriber and a workflow': '/v1/notifications?subscriberIds=target&templates={workflow}',
  'notifications: search for a subscriber': '/v1/notifications?search=subscriber-77',
  'notifications: search for a transaction': '/v1/notifications?search={transaction}',
  'notifications: search for a workflow': '/v1/notifications?search=Hello 1',
  'notifications: search without a match': '/v1/notifications?search=nothing like it',
  'notifications: graph': '/v1/notifications/graph/stats?days={days}',
  'events: state of one': '/v1/events/trigger/{transaction}',
  'events: refused': '/v1/events/refused',

  'home: figures of a day': '/v1/activity/summary?interval=hour',
  'home: figures of a week': '/v1/activity/summary',
  'home: figures of a month': '/v1/activity/summary?from={monthFrom}',
  'health: providers': '/v1/activity/delivery',
  'audit: list': '/v1/audit-log',
  'audit: of a kind': '/v1/audit-log?resourceType=topic',
  'audit: of a resource': '/v1/audit-log?resourceId=resource-77&limit=1',
  'audit: of a kind on a day': '/v1/audit-log?resourceType=topic&from={dayFrom}&to={dayTo}&limit=10',
  'schedules: list': '/v1/schedules',
  'schedules: of a subscriber': '/v1/schedules?subscriberId=target',
  'schedules: of a workflow': '/v1/schedules?workflow=hello-0',
  'schedules: active': '/v1/schedules?status=active',
  'schedules: paused, without any': '/v1/schedules?status=paused',
  'schedules: occurrences of one': '/v1/schedules/{schedule}/occurrences',
  'suppressions: of mail': '/v1/suppressions?channel=email',
  'suppressions: of texts, without any': '/v1/suppressions?channel=sms',
  'replays: list': '/v1/notifications/replays',
  'webhooks: deliveries': '/v1/webhooks/{webhook}/deliveries',
  'webhooks: failed deliveries': '/v1/webhooks/{webhook}/deliveries?status=failed',
  'workflows: list': '/v1/workflows',
};

/** Herald keeps these answers for so many ms at most: only the first one asks the store. */
export const KEPT_ANSWERS = {
  'notifications: stats': ['/v1/notifications/stats', 61_000],
  'health: what waits': ['/v1/health-check/work', 6_000],
};

/** The address of a question, for a store with these names. */
export const pathOf = (question, names) =>
  question.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(name === 'days' ? nextDays() : names[name]));

let asked = 0;
/** Another number each time, so that no answer is kept; all of them cover everything. */
function nextDays() {
  asked += 1;
  return 32 + (asked % 334);
}

const DAY_MS = 86_400_000;

/** The names of a store that was filled. */
export function namesOf({ endMs, completed, templates }, others, transaction) {
  const dayFrom = new Date(endMs - 10 * DAY_MS).toISOString();
  const dayTo = new Date(endMs - 9 * DAY_MS).toISOString();
  const monthFrom = new Date(endMs - 29 * DAY_MS).toISOString();
  const [{ _id: workflow }] = templates;
  const [notification, first] = [completed._id.toHexString(), workflow.toHexString()];
  return { ...others, notification, workflow: first, transaction, dayFrom, dayTo, monthFrom };
}

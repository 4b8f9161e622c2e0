import { call } from './client.mjs';
import { HTTP_PORT, SMTP_PORT, TEXT_PROVIDERS } from './peers.mjs';

export const SUBSCRIBERS = ['s0', 's1', 's2', 's3'];
/** Sleeps until somebody lifts the quiet hours. */
export const OWL = 'owl';
export const TOPIC = 'everyone';
const PEER = `http://127.0.0.1:${HTTP_PORT}`;

const IN_APP = {
  template: {
    type: 'in_app',
    content: '{{subscriber.subscriberId}} {{#if step.digest}}{{#each step.events}}{{n}} {{/each}}{{else}}{{n}}{{/if}}',
  },
};
const message = (type, more = {}) => ({
  template: { type, content: `${type} {{n}} {{subscriber.subscriberId}}`, ...more },
});
const MAIL = message('email', {
  subject: 'mail {{n}} {{subscriber.subscriberId}}',
  content: '<a href="https://example.com/">mail {{n}}</a>',
  contentType: 'customHtml',
});
const PUSH = message('push', { title: 'push' });
const LATE_PUSH = { ...PUSH, metadata: { outsideSchedule: 'wait' } };
const CHAT = message('chat');
const TEXT = message('sms');
const timed = (type, amount, unit = 'seconds') => ({
  template: { type, content: '' },
  metadata: { type: 'regular', amount, unit },
});
const BACKOFF = {
  template: { type: 'digest', content: '' },
  metadata: { type: 'backoff', amount: 20, unit: 'seconds', backoffAmount: 30, backoffUnit: 'seconds' },
};
const WAIT = {
  template: { type: 'wait_for_event' },
  metadata: { event: 'go', amount: 40, unit: 'seconds', onMatch: 'stop', onTimeout: 'continue' },
};
export const THRESHOLD = 2;
const THROTTLE = {
  template: { type: 'throttle' },
  metadata: { amount: 1, unit: 'days', threshold: THRESHOLD, throttleKey: 'slot' },
};

/** Steps of a workflow that is edited while its events are under way: also what comes before the message changes. */
export const pushOf = (version) => [
  timed('delay', 6 + version),
  ...(version % 2 === 0 ? [] : [timed('delay', 2)]),
  message('push', { title: 'push', content: `push {{n}} {{subscriber.subscriberId}} ${version}` }),
];

/** Texts of a person that the budget lets through. */
export const BUDGET = 2;
const REQUEST = {
  stepId: 'peer',
  template: {
    type: 'http_request',
    url: `${PEER}/step`,
    body: '{ "content": "step {{n}} {{subscriber.subscriberId}}" }',
  },
};
const ANSWER = { template: { type: 'in_app', content: '{{subscriber.subscriberId}} {{steps.peer.n}}' } };
const ASK = {
  stepId: 'ask',
  template: {
    type: 'ask',
    title: 'ask {{n}}',
    recipients: ['s2', 's3'],
    waves: [{ recipients: ['s1'], after: 15 }],
    expiresIn: 40,
    default: 'refuse',
  },
};
const OUTCOME = {
  template: {
    type: 'in_app',
    content: '{{subscriber.subscriberId}} {{n}} {{steps.ask.status}} {{steps.ask.value}}',
  },
};

/**
 * `gets`: what each recipient of each event receives. `waitsMs`: how long after the trigger at the earliest. `cancels`: what a cancellation
 * answered with `true` has stopped. `isDigest`: several events may come in one message. `threshold`: so many events of a slot pass.
 * `people`: for whom, if not for anybody. `mayFail`: in-app messages come only if an earlier step succeeds.
 */
export const KINDS = {
  now: { steps: [IN_APP], gets: ['in_app'] },
  bulk: { steps: [IN_APP], gets: ['in_app'], bulk: 4 },
  topic: { steps: [IN_APP], gets: ['in_app'], isForAll: true },
  delay: { steps: [timed('delay', 20), IN_APP], gets: ['in_app'], waitsMs: 20_000, cancels: ['in_app'] },
  'long delay': { steps: [timed('delay', 4, 'minutes'), MAIL], gets: ['mail'], waitsMs: 240_000, cancels: ['mail'] },
  'push when canceled': {
    steps: [timed('delay', 2), PUSH],
    gets: ['push'],
    waitsMs: 2_000,
    cancels: ['push'],
    isCanceledWhenDue: true,
    bulk: 3,
  },
  broadcast: { steps: [IN_APP], gets: ['in_app'], isForAll: true, path: '/v1/events/trigger/broadcast' },
  backoff: { steps: [BACKOFF, IN_APP], gets: ['in_app'], isDigest: true },
  digest: { steps: [timed('digest', 30), IN_APP], gets: ['in_app'], cancels: ['in_app'], isDigest: true },
  'digest, then delay': {
    steps: [timed('digest', 15), timed('delay', 15), IN_APP],
    gets: ['in_app'],
    cancels: ['in_app'],
    isDigest: true,
  },
  throttle: { steps: [THROTTLE, IN_APP], gets: [], threshold: THRESHOLD, bulk: 4, people: ['s0', 's1'] },
  wait: { steps: [WAIT, IN_APP], gets: [], isSignaled: true },
  mail: { steps: [MAIL], gets: ['mail'] },
  push: { steps: [PUSH], gets: ['push'] },
  'quiet hours': { steps: [LATE_PUSH], gets: ['push'], bulk: 3, people: [OWL] },
  edited: { steps: pushOf(0), gets: ['push'], waitsMs: 6_000 },
  chat: { steps: [CHAT], gets: ['chat'] },
  text: { steps: [TEXT], gets: ['text'], bulk: 3, people: ['s0', 's1'] },
  'request, in-app': { steps: [REQUEST, ANSWER], gets: ['step', 'in_app'], mayFail: true },
  ask: { steps: [ASK, OUTCOME], gets: ['in_app'], cancels: ['in_app'] },
  'in-app, delay, chat': { steps: [IN_APP, timed('delay', 10), CHAT], gets: ['in_app', 'chat'], cancels: ['chat'] },
  scheduled: { steps: [IN_APP], gets: ['in_app'], isScheduled: true },
};
export const TRIGGERED = Object.keys(KINDS).filter((kind) => !KINDS[kind].isScheduled);

/** Integrations, people, a topic, a webhook and workflows: on the disk before a run begins. @returns identifiers by kind */
export async function prepare() {
  const shared = { active: true, check: false };
  const integrate = (providerId, channel, credentials, more) =>
    call('POST', '/v1/integrations', { providerId, channel, name: channel, credentials, ...shared, ...more });
  const mailServer = { host: '127.0.0.1', port: String(SMTP_PORT), user: 'user', password: 'password' };
  const sender = { from: 'sender@example.com', senderName: 'Sender', ignoreTls: true };
  await integrate('nodemailer', 'email', { ...mailServer, ...sender }, { tracking: { opens: true, clicks: true } });
  await integrate('push-webhook', 'push', { webhookUrl: `${PEER}/push`, secretKey: 'secret' });
  await integrate('chat-webhook', 'chat', { webhookUrl: `${PEER}/chat` });
  const texts = { apiKeyRequestHeader: 'x-key', apiKey: 'secret', idPath: 'id', from: '+15550100' };
  for (const path of TEXT_PROVIDERS) await integrate('generic-sms', 'sms', { ...texts, baseUrl: `${PEER}/${path}` });
  const always = { window: 'rolling', amount: 31, unit: 'days' };
  await call('POST', '/v1/budgets', { name: 'texts', channels: ['sms'], max: BUDGET, ...always });
  for (const [n, subscriberId] of [...SUBSCRIBERS, OWL].entries()) await createSubscriber(subscriberId, n);
  const atNight = { isEnabled: true, hours: [{ start: '03:00 AM', end: '04:00 AM' }] };
  const schedule = { isEnabled: true, weeklySchedule: { friday: atNight } };
  await call('PATCH', `/v1/subscribers/${OWL}/preferences`, { schedule });
  await call('POST', '/v1/topics', { key: TOPIC, name: 'Everyone' });
  await call('POST', `/v1/topics/${TOPIC}/subscribers`, { subscribers: SUBSCRIBERS });
  const told = ['message.sent', 'message.opened', 'message.clicked', 'question.answered'];
  await call('POST', '/v1/webhooks', { url: `${PEER}/webhook`, events: told });
  const [group] = await call('GET', '/v1/notification-groups');
  const workflows = {};
  for (const [name, { steps }] of Object.entries(KINDS)) {
    const body = { name, notificationGroupId: group._id, active: true, steps };
    workflows[name] = (await call('POST', '/v1/workflows', body)).triggers[0].identifier;
  }
  return workflows;
}

async function createSubscriber(subscriberId, n) {
  await call('POST', '/v1/subscribers', { subscriberId, email: `${subscriberId}@example.com`, phone: `+1555000${n}` });
  const credentials = {
    'push-webhook': { deviceTokens: [`device-${subscriberId}`] },
    'chat-webhook': { webhookUrl: `${PEER}/chat` },
  };
  for (const [providerId, given] of Object.entries(credentials))
    await call('PUT', `/v1/subscribers/${subscriberId}/credentials`, { providerId, credentials: given });
}

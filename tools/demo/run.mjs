import { HeraldUnavailable, findHerald } from '../herald.mjs';
import { DISCORD_PATH, PUSH_PATH, startCatchers } from './catchers.mjs';
import { createPrinter, DemoFailure, faultOfData, Narrator } from './narrator.mjs';

const USAGE = `Usage: ${process.env.HERALD_COMMAND ? 'herald demo [--json]' : 'npm run demo [-- --json]'} [--full]

  --json   one JSON line for each request with its answer, and for each arrival
  --full   answers with every field

Starts a Herald of its own with its data in a temporary folder, or with MONGODB_URI in a new database there, which it drops
at the end. With HERALD_URL and HERALD_API_KEY it uses a running one, which must be on this machine and may reach 127.0.0.1
(PRIVATE_HOSTS=127.0.0.1), where the catchers of mail, chat and push listen. Exit code 1: something expected did not happen or did not arrive.`;

const options = new Set(process.argv.slice(2));
const unknown = [...options].filter((option) => !['--json', '--full', '--help'].includes(option));
if (unknown.length > 0 || options.has('--help')) {
  if (unknown.length > 0) console.error(`Unknown option: ${unknown.join(' ')}\n\n${USAGE}`);
  else console.log(USAGE);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const RUN = Date.now().toString(36);
const ADA = `ada-${RUN}`;
const ORDER = `order-42-${RUN}`;
const INVOICE = `invoice-7-${RUN}`;
const printer = createPrinter({ json: options.has('--json'), full: options.has('--full'), out: process.stdout });
const integrations = [];
let herald;
let catchers;
let demo;
let stopping = false;
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.once(signal, () => void stop(code));
}
// The reader has seen enough, as `head` or a pager that is left.
process.stdout.on('error', () => void stop(0));

try {
  catchers = await startCatchers();
  herald = await findHerald(process.env);
  printer.begin(herald);
  demo = new Narrator(herald, [catchers.mail, catchers.http], printer);
  await tellTheStory();
  demo.assertNothingElse();
  printer.end(demo.totals);
  await stop(0);
} catch (error) {
  const isExpected = error instanceof DemoFailure || error instanceof HeraldUnavailable;
  printer.failed(isExpected ? error.message : (error.stack ?? String(error)));
  await stop(1);
}

async function tellTheStory() {
  const mail = await connectChannels();
  await createAda();
  const group = await findGroup();
  const order = await createOrderWorkflow(group);
  const tenant = await overrideForTenant(order);
  await sendInApp(order, tenant);
  await sendThroughEveryChannel(group, mail);
  const digest = await sendDigest(group, mail);
  await readTheTrail(digest);
}

async function connectChannels() {
  demo.chapter('Channels and a subscriber', 'Integrations reach providers; a subscriber is who is notified.');
  await demo.call('Is Herald ready?', 'GET /v1/health-check', { expect: { status: 'ok' } });
  const mail = await createIntegration(
    'Mail goes through an SMTP server; `check` tries it at once. Credentials are encrypted at rest.',
    {
      providerId: 'nodemailer',
      channel: 'email',
      name: 'Post room',
      credentials: { ...catchers.smtp, secure: false, from: 'herald@example.com', senderName: 'Herald' },
      check: true,
    },
  );
  const chat = { providerId: 'discord', channel: 'chat', name: 'Discord', credentials: {} };
  await createIntegration('Chat goes to Discord.', chat);
  const push = { providerId: 'push-webhook', channel: 'push', name: 'Devices', credentials: catchers.push };
  await createIntegration('Push goes to a webhook, signed.', push);
  return mail;
}

async function createIntegration(title, { providerId, channel, ...more }) {
  const identifier = `${providerId}-${RUN}`;
  const { _id } = await demo.call(title, 'POST /v1/integrations', {
    body: { providerId, channel, ...more, identifier, active: true },
    expect: { providerId, channel, identifier, active: true },
    show: ['_id', 'identifier', 'active', 'primary'],
  });
  integrations.push(_id);
  return identifier;
}

async function createAda() {
  await demo.call('Ada is a subscriber. The id is yours, so nothing has to be mapped.', 'POST /v1/subscribers', {
    body: { subscriberId: ADA, firstName: 'Ada', email: 'ada@example.com', locale: 'en-GB', data: { plan: 'pro' } },
    expect: { subscriberId: ADA, firstName: 'Ada', channels: [], data: { plan: 'pro' } },
    show: ['_id', 'subscriberId', 'firstName', 'email', 'channels', 'data', 'createdAt'],
  });
  await setCredentials('Her Discord channel.', 'discord', { webhookUrl: catchers.discordUrl });
  await setCredentials('Her laptop.', 'push-webhook', { deviceTokens: ['laptop-of-ada'] });
}

async function setCredentials(title, providerId, credentials) {
  await demo.call(title, `PUT /v1/subscribers/${ADA}/credentials`, {
    body: { providerId, integrationIdentifier: `${providerId}-${RUN}`, credentials },
    expect: ({ channels }) =>
      faultOfData(channels.find((one) => one.providerId === providerId)?.credentials, credentials),
    show: ['subscriberId', 'channels'],
  });
}

async function findGroup() {
  demo.chapter('A workflow', 'What happens when an order is shipped: a message in the app, with a button.');
  const groups = await demo.call(
    'Workflows are sorted into groups; every environment starts with one.',
    'GET /v1/notification-groups',
    {
      expect: (rows) => (rows.some(({ name }) => name === 'General') ? undefined : 'expected the group General'),
      show: ['_id', 'name'],
    },
  );
  return groups.find(({ name }) => name === 'General')._id;
}

async function createOrderWorkflow(group) {
  const feed = await demo.call('A feed for messages about orders.', 'POST /v1/feeds', {
    body: { name: `Orders ${RUN}` },
    expect: { name: `Orders ${RUN}`, identifier: `Orders ${RUN}` },
    show: ['_id', 'name', 'identifier'],
  });
  const template = {
    type: 'in_app',
    content: 'Hello {{subscriber.firstName}}, your order {{order.number}} is on its way.',
    feedId: feed._id,
    cta: {
      type: 'redirect',
      data: { url: '/orders/{{order.number}}' },
      action: { buttons: [{ type: 'primary', content: 'Track it', resultContent: 'Tracked' }] },
    },
  };
  const identity = { name: `Order shipped ${RUN}`, notificationGroupId: group };
  const workflow = await demo.call('One in-app step, with a template and a button.', 'POST /v1/workflows', {
    body: { ...identity, active: true, tags: ['orders'], steps: [{ name: 'In the app', template }] },
    expect: { active: true, draft: false, 'triggers.0.type': 'event', 'notificationGroup.name': 'General' },
    show: ['_id', 'name', 'triggers', 'active'],
  });
  const description = 'Tells the buyer that the parcel is on its way.';
  await demo.call('A description. Fields that are not sent stay as they are.', `PUT /v1/workflows/${workflow._id}`, {
    body: { ...identity, description, tags: ['orders', 'demo'] },
    expect: { description, 'steps.length': 1, active: true },
    show: ['_id', 'name', 'description', 'tags', 'active'],
  });
  return { feedId: feed._id, workflowId: workflow._id, trigger: workflow.triggers[0].identifier };
}

async function overrideForTenant({ workflowId, trigger }) {
  demo.chapter('One tenant is different', 'An override changes a workflow for one tenant only.');
  const identifier = `acme-${RUN}`;
  const tenant = await demo.call('A tenant.', 'POST /v1/tenants', {
    body: { identifier, name: 'Acme', data: { region: 'eu' } },
    expect: { identifier, name: 'Acme' },
    show: ['_id', 'identifier', 'name', 'data'],
  });
  await demo.call('Acme does not want this workflow.', 'POST /v1/workflow-overrides', {
    body: { workflowId, tenantId: tenant._id, active: false },
    status: 200,
    expect: { _workflowId: workflowId, _tenantId: tenant._id, active: false },
    show: ['_id', '_workflowId', '_tenantId', 'active'],
  });
  await demo.call('A trigger for Acme is refused, and the status says why.', 'POST /v1/events/trigger', {
    body: { name: trigger, to: ADA, tenant: identifier, payload: { order: { number: 41 } } },
    expect: { acknowledged: true, status: 'trigger_not_active' },
    show: ['acknowledged', 'status'],
  });
  const path = `/v1/workflow-overrides/workflows/${workflowId}/tenants/${tenant._id}`;
  await demo.call('Acme wants it after all, in the app only.', `PUT ${path}`, {
    body: { active: true, preferenceSettings: { in_app: true, email: false } },
    expect: { active: true, 'preferenceSettings.in_app': true, 'preferenceSettings.email': false },
    show: ['_id', 'active', 'preferenceSettings'],
  });
  return identifier;
}

async function sendInApp({ feedId, workflowId, trigger }, tenant) {
  demo.chapter('A notification', 'One call triggers it; the message is in the feed a moment later.');
  await demo.call('The order is shipped.', 'POST /v1/events/trigger', {
    body: { name: trigger, to: ADA, tenant, payload: { order: { number: 42 } }, transactionId: ORDER },
    expect: { acknowledged: true, status: 'processed', transactionId: ORDER },
    show: ['acknowledged', 'status', 'transactionId'],
  });
  const [message] = await demo.waitFor("It is in Ada's feed.", `GET /v1/subscribers/${ADA}/notifications/feed`, {
    expect: { length: 1, '0.content': 'Hello Ada, your order 42 is on its way.' },
    show: ['_id', 'content', 'cta', 'seen', 'status', 'transactionId'],
  });
  const path = `/v1/subscribers/${ADA}/messages/${message._id}/actions/primary`;
  await demo.call('Ada presses the button.', `POST ${path}`, {
    body: { status: 'done', payload: { from: 'demo' } },
    expect: {
      _id: message._id,
      'cta.action.status': 'done',
      'cta.action.result': { type: 'primary', payload: { from: 'demo' } },
      'subscriber.subscriberId': ADA,
      'template._id': workflowId,
      _feedId: feedId,
    },
    show: ['_id', 'channel', 'content', 'cta', 'status', 'seen'],
  });
}

async function sendThroughEveryChannel(group, mail) {
  demo.chapter('Every channel', 'One trigger, three messages, caught on this machine instead of by real providers.');
  const workflow = await createWorkflow('A workflow with three steps.', group, `Invoice paid ${RUN}`, [
    emailStep(
      'Invoice {{invoice.number}} is paid',
      '<p>Thank you, {{subscriber.firstName}}. We have received <b>{{invoice.total}}</b>.</p>',
    ),
    { template: { type: 'chat', content: '{{subscriber.firstName}} has paid {{invoice.total}}.' } },
    { template: { type: 'push', title: 'Thank you', content: 'Invoice {{invoice.number}} is paid.' } },
  ]);
  const since = performance.now();
  await demo.call('An invoice is paid.', 'POST /v1/events/trigger', {
    body: {
      name: workflow.triggers[0].identifier,
      to: ADA,
      payload: { invoice: { number: 'F-7', total: '£ 12.50' } },
      overrides: { email: { integrationIdentifier: mail } },
      transactionId: INVOICE,
    },
    expect: { acknowledged: true, status: 'processed' },
    show: ['acknowledged', 'status', 'transactionId'],
  });
  await demo.arrived("The mail in Ada's mailbox.", {
    at: catchers.mail,
    match: ({ subject }) => subject === 'Invoice F-7 is paid',
    since,
    expect: {
      from: '"Herald" <herald@example.com>',
      to: 'ada@example.com',
      text: 'Thank you, Ada. We have received £ 12.50.',
    },
    show: ['subject', 'from', 'to', 'text'],
  });
  await receiveWebhooks(since);
}

async function receiveWebhooks(since) {
  const at = catchers.http;
  const show = ['path', 'body'];
  await demo.arrived('What Discord received.', {
    at,
    match: ({ path }) => path === DISCORD_PATH,
    since,
    expect: { body: { content: 'Ada has paid £ 12.50.' } },
    show,
  });
  await demo.arrived("What Ada's laptop received. The signature is right.", {
    at,
    match: ({ path }) => path === PUSH_PATH,
    since,
    expect: {
      'body.target': ['laptop-of-ada'],
      'body.title': 'Thank you',
      'body.content': 'Invoice F-7 is paid.',
      'body.payload.invoice.number': 'F-7',
      'body.payload.subscriber.firstName': 'Ada',
    },
    show,
  });
}

function createWorkflow(title, notificationGroupId, name, steps) {
  return demo.call(title, 'POST /v1/workflows', {
    body: { name, notificationGroupId, active: true, steps },
    expect: { active: true, 'steps.length': steps.length },
    show: ['_id', 'triggers'],
  });
}

function emailStep(subject, content) {
  return { template: { type: 'email', subject, contentType: 'customHtml', content } };
}

/** Returns the id of the workflow. */
async function sendDigest(group, mail) {
  demo.chapter('A digest', 'Three events within two seconds make one mail, not three.');
  const title = 'A digest step, and a mail that lists what it has collected.';
  const workflow = await createWorkflow(title, group, `Parcels ${RUN}`, [
    { template: { type: 'digest', content: '' }, metadata: { type: 'regular', amount: 2, unit: 'seconds' } },
    emailStep(
      '{{step.total_count}} parcels are on their way',
      '<ul>{{#each step.events}}<li>Order {{order.number}}</li>{{/each}}</ul>',
    ),
  ]);
  const since = performance.now();
  const event = (number) => ({
    name: workflow.triggers[0].identifier,
    to: ADA,
    payload: { order: { number } },
    overrides: { email: { integrationIdentifier: mail } },
  });
  await demo.call('Three orders are shipped.', 'POST /v1/events/trigger/bulk', {
    body: { events: [51, 52, 53].map(event) },
    expect: { length: 3, '0.status': 'processed', '1.status': 'processed', '2.status': 'processed' },
    show: ['acknowledged', 'status', 'transactionId'],
  });
  await demo.arrived('The one mail.', {
    at: catchers.mail,
    match: ({ subject }) => subject === '3 parcels are on their way',
    since,
    expect: ({ to, text }) => {
      const numbers = [...text.matchAll(/Order (\d+)/g)].map(([, number]) => number).sort();
      return faultOfData({ to, numbers }, { to: 'ada@example.com', numbers: ['51', '52', '53'] });
    },
    show: ['subject', 'from', 'to', 'text'],
  });
  return workflow._id;
}

async function readTheTrail(digestId) {
  demo.chapter('The trail', 'Every step of every notification can be explained afterwards.');
  const [order] = await findNotifications('The notification of the order.', `transactionId=${ORDER}`, ['completed']);
  await explain('What happened, in order.', order, ['in_app']);
  const [invoice] = await demo.read(`/v1/notifications?transactionId=${INVOICE}`);
  await explain('The same for the invoice.', invoice, ['email', 'chat', 'push']);
  const title = 'One of the three parcels leads the digest; the others are merged into it.';
  const parcels = await findNotifications(title, `templates=${digestId}`, ['completed', 'merged', 'merged']);
  const leader = parcels.find(({ status }) => status === 'completed');
  await explain('What happened to the leader.', leader, ['email']);
}

function findNotifications(title, query, statuses) {
  return demo.waitFor(title, `GET /v1/notifications?${query}`, {
    expect: (rows) => faultOfData({ statuses: rows.map(({ status }) => status).sort() }, { statuses }),
    show: ['_id', 'status', 'transactionId'],
  });
}

/** @param channels those that must have succeeded */
async function explain(title, { _id }, channels) {
  await demo.waitFor(title, `GET /v1/execution-details?notificationId=${_id}&subscriberId=${ADA}`, {
    expect: (rows) => {
      if (rows.some((row) => row._notificationId !== _id)) return 'expected details of this notification only';
      const succeeded = new Set(rows.filter(({ status }) => status === 'Success').map(({ channel }) => channel));
      const missing = channels.filter((channel) => !succeeded.has(channel));
      return missing.length === 0 ? undefined : `expected a detail with status Success for ${missing.join(', ')}`;
    },
    show: ['channel', 'status', 'detail'],
  });
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  // The catchers end with the demo; a Herald that keeps running must not keep integrations that lead to them.
  if (herald?.isOwn === false) await Promise.all(integrations.map((id) => demo.remove(`/v1/integrations/${id}`)));
  await herald?.stop();
  await catchers?.close();
  process.exit(code);
}

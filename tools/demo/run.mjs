import { inspect } from 'node:util';
import { Herald, HeraldApiError } from '@herald/client';
import { findHerald, HeraldUnavailable } from '../herald.mjs';
import { DISCORD_PATH, PUSH_PATH, startCatchers } from './catchers.mjs';

const USAGE = `Usage: ${process.env.HERALD_COMMAND ?? 'npm run herald --'} demo [options]

Runs a tour of the API and prints every request, its response, and every message that arrives.

  --json   print one JSON line per request and per message that arrives, with complete responses

Starts a temporary instance with its data in a temporary directory, or, if MONGODB_URI is set, in a new database that is
dropped at the end. To use a running instance, set HERALD_URL and HERALD_API_KEY. It must run on this machine with
PRIVATE_HOSTS=127.0.0.1, so that it can reach the local mail, chat and push receivers.
Exit codes: 0 success, 1 an unexpected response or a missing message, 2 usage error.`;

const START = `${process.env.HERALD_COMMAND ?? 'npm run herald --'} start`;
const WITHIN_MS = 60_000;
const RESPONSE_LINES = 8;

/** A response or a message is not as expected; the message says how. */
class DemoFailure extends Error {}

const options = new Set(process.argv.slice(2));
const unknown = [...options].filter((option) => !['--json', '--help', '-h'].includes(option));
if (unknown.length > 0 || options.has('--help') || options.has('-h')) {
  if (unknown.length > 0) console.error(`Unknown option: ${unknown.join(' ')}\n\n${USAGE}`);
  else console.log(USAGE);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const run = Date.now().toString(36);
const totals = { requests: 0, ms: 0, arrivals: 0 };
const seen = new Set();
const integrations = [];
let chapters = 0;
let stopping = false;
let herald;
let catchers;
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.once(signal, () => void stop(code));
}
// The reader has closed the output, as `head` does.
process.stdout.on('error', () => void stop(0));

try {
  catchers = await startCatchers();
  herald = await findHerald(process.env);
  report(
    { type: 'begin', url: herald.url, description: herald.description },
    `  Herald  ${herald.url}  (${herald.description})`,
  );
  const mail = await connectChannels();
  await createSubscriber();
  await sendInApp();
  await sendThroughEveryChannel(mail);
  await sendDigest(mail);
  const others = [catchers.mail, catchers.http].flatMap(({ arrivals }) => arrivals).filter((one) => !seen.has(one));
  if (others.length > 0) throw new DemoFailure(`Unexpected messages arrived: ${JSON.stringify(others)}`);
  const { requests, arrivals, ms } = totals;
  report(
    { type: 'end', ok: true, ...totals, ms: round(ms) },
    `   ${requests} requests succeeded, ${arrivals} messages arrived; ${round(ms)} ms of requests.\n   ${whatNext()}`,
  );
  await stop(0);
} catch (error) {
  const isExpected = error instanceof DemoFailure || error instanceof HeraldUnavailable;
  const message = isExpected ? error.message : (error.stack ?? String(error));
  report({ type: 'end', ok: false, message }, `   Failed: ${message}`);
  await stop(1);
}

function whatNext() {
  if (!herald.isOwn) return `Now open ${herald.url}/console`;
  return `Now start your own with '${START}', and open http://127.0.0.1:3000/console`;
}

async function connectChannels() {
  chapter('Channels', 'Integrations connect channels to providers. Here, local receivers stand in for the providers.');
  await call('Check that Herald is ready.', 'GET /v1/health-check', { expect: { status: 'ok' } });
  const sender = { from: 'herald@example.com', senderName: 'Herald' };
  const mail = await createIntegration('Email over SMTP. `check` verifies the credentials.', 'email', 'nodemailer', {
    credentials: { ...catchers.smtp, secure: false, ...sender },
    check: true,
  });
  await createIntegration('Chat messages to Discord.', 'chat', 'discord', { credentials: {} });
  await createIntegration('Push messages to a signed webhook.', 'push', 'push-webhook', { credentials: catchers.push });
  return mail;
}

async function createIntegration(title, channel, providerId, settings) {
  const identity = { providerId, channel, identifier: `${providerId}-${run}`, active: true };
  const body = { ...identity, name: `Demo ${channel}`, ...settings };
  const { _id } = await call(title, 'POST /v1/integrations', { body, expect: identity });
  integrations.push(_id);
  return identity.identifier;
}

async function createSubscriber() {
  chapter('A subscriber', 'Subscribers receive notifications. Their ids are your own user ids.');
  const profile = { subscriberId: `ada-${run}`, firstName: 'Ada', email: 'ada@example.com', data: { plan: 'pro' } };
  await call('Create Ada.', 'POST /v1/subscribers', { body: profile, expect: profile });
  const credentials = { discord: { webhookUrl: catchers.discordUrl }, 'push-webhook': { deviceTokens: ['laptop'] } };
  for (const [providerId, own] of Object.entries(credentials)) {
    await call(`Store her ${providerId} credentials.`, `PUT /v1/subscribers/ada-${run}/credentials`, {
      body: { providerId, integrationIdentifier: `${providerId}-${run}`, credentials: own },
      expect: ({ channels }) => channels.some((one) => mismatch({ providerId, credentials: own }, one) === undefined),
    });
  }
}

async function sendInApp() {
  chapter('An in-app message', 'A workflow defines what an event sends.');
  const feed = await call('Create a feed.', 'POST /v1/feeds', { body: { name: `Orders ${run}` } });
  const content = 'Hello {{subscriber.firstName}}, your order {{order.number}} is on its way.';
  const name = await createWorkflow('Order shipped', [{ template: { type: 'in_app', content, feedId: feed._id } }]);
  await trigger({ name, payload: { order: { number: 42 } }, transactionId: `order-${run}` });
  const message = { content: 'Hello Ada, your order 42 is on its way.', seen: false };
  await until("Read Ada's feed.", `GET /v1/subscribers/ada-${run}/notifications/feed`, [message]);
  await explain('order', ['in_app']);
}

async function sendThroughEveryChannel(integrationIdentifier) {
  chapter('Every channel', 'One event sends an email, a chat message and a push message.');
  const name = await createWorkflow('Invoice paid', [
    emailStep('Invoice {{invoice.number}}', '<p>Thank you, {{subscriber.firstName}}: <b>{{invoice.total}}</b>.</p>'),
    { template: { type: 'chat', content: '{{subscriber.firstName}} has paid {{invoice.total}}.' } },
    { template: { type: 'push', title: 'Thank you', content: 'Invoice {{invoice.number}} is paid.' } },
  ]);
  const since = performance.now();
  const payload = { invoice: { number: 'F-7', total: '£ 12.50' } };
  const overrides = { email: { integrationIdentifier } };
  await trigger({ name, payload, overrides, transactionId: `invoice-${run}` });
  const mail = { subject: 'Invoice F-7', from: '"Herald" <herald@example.com>', to: 'ada@example.com' };
  await arrived('The email arrives.', catchers.mail, since, { ...mail, text: 'Thank you, Ada: £ 12.50.' });
  const chat = { content: 'Ada has paid £ 12.50.' };
  await arrived('The chat message arrives.', catchers.http, since, { path: DISCORD_PATH, body: chat });
  const push = { target: ['laptop'], title: 'Thank you', content: 'Invoice F-7 is paid.' };
  await arrived('The push message arrives.', catchers.http, since, { path: PUSH_PATH, body: push });
  await explain('invoice', ['email', 'chat', 'push']);
}

async function sendDigest(integrationIdentifier) {
  chapter('A digest', 'Three events within two seconds become one email.');
  const name = await createWorkflow('Parcels', [
    { template: { type: 'digest', content: '' }, metadata: { type: 'regular', amount: 2, unit: 'seconds' } },
    emailStep('{{step.total_count}} parcels', '{{#each step.events}}<p>Order {{order.number}}</p>{{/each}}'),
  ]);
  const since = performance.now();
  const shared = { name, to: `ada-${run}`, overrides: { email: { integrationIdentifier } } };
  const events = [51, 52, 53].map((number) => ({ ...shared, payload: { order: { number } } }));
  const expect = events.map(() => ({ status: 'processed' }));
  await call('Trigger three events.', 'POST /v1/events/trigger/bulk', { body: { events }, expect });
  const mail = { subject: '3 parcels', to: 'ada@example.com' };
  const { text } = await arrived('The digest arrives.', catchers.mail, since, mail);
  const missing = [51, 52, 53].filter((number) => !text.includes(`Order ${number}`));
  if (missing.length > 0) throw new DemoFailure(`The digest lacks the orders ${missing.join(', ')}.`);
}

async function createWorkflow(title, steps) {
  const body = { name: `${title} ${run}`, active: true, steps };
  const created = await call('Create a workflow.', 'POST /v1/workflows', { body, expect: { active: true } });
  return created.triggers[0].identifier;
}

function emailStep(subject, content) {
  return { template: { type: 'email', subject, contentType: 'customHtml', content } };
}

async function trigger(event) {
  const body = { ...event, to: `ada-${run}` };
  await call('Trigger it.', 'POST /v1/events/trigger', { body, expect: { acknowledged: true, status: 'processed' } });
}

/** Reads the trail of a notification that has ended. */
async function explain(event, channels) {
  const path = `GET /v1/notifications?transactionId=${event}-${run}`;
  const [{ _id }] = await until('Read the notification.', path, [{ status: 'completed' }]);
  const details = `GET /v1/execution-details?notificationId=${_id}&subscriberId=ada-${run}`;
  await until('Read its execution details.', details, (rows) =>
    channels.every((channel) => rows.some((row) => row.channel === channel && row.status === 'Success')),
  );
}

/** Sends a request, prints it with its response, and compares the data with what is expected: a part of it, or a test. */
async function call(title, route, { body, expect } = {}) {
  const [method, path] = route.split(' ');
  const { answer, ms, ...response } = await request(method, path, body);
  totals.requests += 1;
  totals.ms += ms;
  const line = `   ${title}\n   ${method.padEnd(6)} ${shorten(path)}  ${response.status}  ${round(ms)} ms\n`;
  report(
    { type: 'exchange', title, method, path, body, status: response.status, ms: round(ms), answer },
    `${line}${body === undefined ? '' : block('→', body)}${answer === undefined ? '' : block('←', answer.data ?? answer, RESPONSE_LINES)}`,
  );
  const wanted = method === 'POST' ? 201 : 200;
  const reason = [answer?.message ?? []].flat().join('; ');
  if (response.status !== wanted)
    throw new DemoFailure(`${route}: expected ${wanted}, got ${response.status} ${reason}`);
  const fault = mismatch(expect, answer?.data);
  if (fault !== undefined) throw new DemoFailure(`${route}: ${fault}`);
  return answer?.data;
}

/** Repeats a request until its data are as expected; prints the last one only. */
async function until(title, route, expect) {
  const isDone = async () => mismatch(expect, (await request(...route.split(' '))).answer?.data) === undefined;
  await poll(isDone);
  return call(title, route, { expect });
}

async function arrived(title, { kind, arrivals }, since, expect) {
  const found = await poll(() => arrivals.find((one) => !seen.has(one) && mismatch(expect, one) === undefined));
  if (!found) {
    const others = JSON.stringify(arrivals.filter((one) => !seen.has(one)));
    throw new DemoFailure(`${title.replace('arrives', 'did not arrive')} Received by ${kind} instead: ${others}`);
  }
  seen.add(found);
  totals.arrivals += 1;
  const { at, ...arrival } = found;
  const ms = round(at - since);
  report(
    { type: 'arrival', title, by: kind, ms, arrival },
    `   ${title}\n   ${kind.toUpperCase()}  ${Math.round(ms)} ms after the trigger\n${block('⇠', arrival)}`,
  );
  return arrival;
}

async function poll(find) {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await find();
    if (found || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function request(method, path, body) {
  let response;
  const fetchOnce = async (url, init) => (response = await fetch(url, init));
  const client = new Herald({ baseUrl: herald.url, apiKey: herald.apiKey, timeoutMs: WITHIN_MS, fetch: fetchOnce });
  const started = performance.now();
  const answer = await client.request(method, path, { body }).catch((error) => {
    if (error instanceof HeraldApiError) return error.body;
    const reason = error.cause?.cause?.message ?? error.cause?.message ?? error.message;
    throw new DemoFailure(`${method} ${herald.url}${path} was not answered: ${reason}`);
  });
  return { answer, status: response.status, ms: performance.now() - started };
}

/** The first difference from what is expected, or undefined. Fields that are not named may have any value. */
function mismatch(expect, actual, path = 'data') {
  if (expect === undefined) return undefined;
  if (typeof expect === 'function') return expect(actual) ? undefined : `${path} is not as expected`;
  if (Array.isArray(expect) && actual?.length !== expect.length) return `expected ${expect.length} entries of ${path}`;
  if (typeof expect !== 'object') {
    return actual === expect ? undefined : `expected ${path} to be ${inspect(expect)}, got ${inspect(actual)}`;
  }
  const faults = Object.entries(expect).map(([key, value]) => mismatch(value, actual?.[key], `${path}.${key}`));
  return faults.find((fault) => fault !== undefined);
}

function chapter(title, about) {
  chapters += 1;
  report({ type: 'chapter', title }, `${chapters}. ${title}\n   ${about}`);
}

function report(record, text) {
  process.stdout.write(options.has('--json') ? `${JSON.stringify(record)}\n` : `\n${text.trimEnd()}\n`);
}

function block(arrow, value, maxLines = Infinity) {
  const lines = shorten(inspect(value, { depth: 8, compact: 3, breakLength: 110 })).split('\n');
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines - 1), '…'] : lines;
  return shown.map((line, at) => `      ${at === 0 ? arrow : ' '} ${line}\n`).join('');
}

/** Shortens record ids to a form that the eye can compare: `64f0…b9c0`. */
function shorten(text) {
  return text.replace(/\b([0-9a-f]{4})[0-9a-f]{16}([0-9a-f]{4})\b/g, '$1…$2');
}

function round(ms) {
  return Math.round(ms * 10) / 10;
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  // The receivers end with the demo, so an instance that keeps running must not keep integrations that lead to them.
  if (herald?.isOwn === false) {
    await Promise.allSettled(integrations.map((id) => request('DELETE', `/v1/integrations/${id}`)));
  }
  await herald?.stop();
  await catchers?.close();
  process.exit(code);
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '#libs/config';
import { HeraldClient } from '../files/herald-client.js';
import { printable, toJson } from '../printable.js';
import { CommandError } from '../run-command.js';
import { deliveryOf, type Notification, notificationsOf, whyLine } from './deliveries.js';
import type { LiveCommand, LiveStreams } from './live-program.js';
import { numberIn, optionsIn } from './options.js';
import { PLACE_USAGE, placeIn } from './place.js';

export const TRIGGER_USAGE = `Usage: ${commandLine('trigger')} WORKFLOW --to SUBSCRIBER [options]

Triggers a workflow of the running Herald. With --wait, it waits for the outcome and says for each step what became of it,
and why a message was not sent.

  --to WHO               id of a subscriber, or a JSON object that creates or updates one; can be repeated
  --topic KEY            all subscribers of a topic; can be repeated
  --payload JSON         values for the templates; @FILE reads a file, - standard input
  --tenant IDENTIFIER    tenant of the event
  --actor SUBSCRIBER     subscriber who caused the event
  --transaction-id ID    your id of the event; a repeated one triggers nothing again (default: a new one)
  --wait                 wait until all steps have ended
  --timeout SECONDS      how long to wait (default: 60, at most 3600)
  --json                 print the result as JSON

  ${commandLine('trigger')} order-shipped --to ada --payload '{"order": {"number": 4711}}' --wait
  ${commandLine('trigger')} welcome --to '{"subscriberId": "ada", "email": "ada@example.com"}'

${PLACE_USAGE}
Exit codes: 0 triggered, and with --wait delivered; 1 refused, failed, or not ended in time; 2 wrong command line.`;

const OPTIONS = {
  to: { type: 'string', multiple: true, default: [] as string[] },
  topic: { type: 'string', multiple: true, default: [] as string[] },
  payload: { type: 'string' },
  tenant: { type: 'string' },
  actor: { type: 'string' },
  'transaction-id': { type: 'string' },
  wait: { type: 'boolean', default: false },
  timeout: { type: 'string', default: '60' },
  json: { type: 'boolean', default: false },
} as const;

const RETRIES = 2;
const CALL_MS = 15_000;
/** One request waits no longer: proxies cut longer ones. */
const WAIT_SECONDS = 20;
const PAUSE_MS = 250;

interface Trigger {
  readonly status: string;
  readonly transactionId: string;
  readonly hint?: string;
  readonly error?: readonly string[];
}

interface EventState {
  readonly ended: boolean;
  readonly reason?: string;
  readonly notifications?: number;
}

export const trigger: LiveCommand = async (args, env, streams) => {
  const { values, positionals } = optionsIn(args, OPTIONS);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new CommandError(TRIGGER_USAGE, 2);
  const seconds = numberIn(values.timeout, 'timeout', [1, 3_600]);
  const to = [
    ...values.to.map((text) => (/^\s*\{/.test(text) ? objectIn(text, '--to') : text)),
    ...values.topic.map((topicKey) => ({ type: 'Topic', topicKey })),
  ];
  if (to.length === 0) throw new CommandError('Name the recipient: --to SUBSCRIBER, or --topic KEY.', 2);
  const event = {
    name,
    to,
    // Triggered once, also where a request is repeated.
    transactionId: values['transaction-id'] ?? randomUUID(),
    ...(values.payload !== undefined && { payload: await payloadIn(values.payload, streams) }),
    ...(values.tenant !== undefined && { tenant: values.tenant }),
    ...(values.actor !== undefined && { actor: values.actor }),
  };
  const client = new HeraldClient(placeIn(env), RETRIES);
  const { signal } = streams;
  const answer = await client.call('POST', '/v1/events/trigger', event, { timeoutMs: CALL_MS, signal });
  const triggered = answer.data as Trigger;
  if (triggered.status !== 'processed') return refused(triggered, values.json, streams);
  if (!values.wait) {
    const line = `${name} was triggered. Its transaction id is ${triggered.transactionId}.`;
    streams.out(`${values.json ? toJson(triggered) : printable(line)}\n`);
    return 0;
  }
  const state = await endOf(client, triggered.transactionId, seconds, signal);
  const query = [['transactionId', triggered.transactionId]] as const;
  const found: Notification[] = [];
  for await (const one of notificationsOf(client, query, { timeoutMs: CALL_MS, signal })) found.push(one);
  const show = values.json ? showJson : showWords;
  show(triggered, state, unique(found), streams);
  if (!state.ended) {
    const { transactionId } = triggered;
    streams.err(
      `It has not ended within ${seconds} s, and goes on: herald call GET events/trigger/${printable(transactionId)}\n`,
    );
  }
  return state.ended && found.length > 0 && found.every(({ status }) => status !== 'failed') ? 0 : 1;
};

function refused(triggered: Trigger, isJson: boolean, { out, err }: LiveStreams): number {
  if (isJson) out(`${toJson(triggered)}\n`);
  const { status, hint, error = [] } = triggered;
  for (const line of [`Nothing will be delivered: ${status}`, ...error, ...(hint ? [hint] : [])])
    err(`${printable(line)}\n`);
  return 1;
}

async function endOf(
  client: HeraldClient,
  transactionId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<EventState> {
  const until = performance.now() + seconds * 1_000;
  for (;;) {
    const left = Math.max(0, Math.ceil((until - performance.now()) / 1_000));
    const wait = Math.min(WAIT_SECONDS, left);
    const path = `/v1/events/trigger/${encodeURIComponent(transactionId)}?wait=${wait}`;
    const { data } = await client.call('GET', path, undefined, { timeoutMs: wait * 1_000 + CALL_MS, signal });
    const state = data as EventState;
    if (state.ended || left === 0) return state;
    // The answer comes early where many requests wait already.
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

function showJson(triggered: Trigger, state: EventState, found: readonly Notification[], { out }: LiveStreams): void {
  const { transactionId, status } = triggered;
  const deliveries = found.flatMap((one) => one.jobs.map((job) => deliveryOf(one, job)));
  const notifications = found.map((one) => ({ _id: one._id, status: one.status }));
  out(`${toJson({ transactionId, status, ended: state.ended, notifications, deliveries })}\n`);
}

function showWords(
  { transactionId }: Trigger,
  state: EventState,
  found: readonly Notification[],
  streams: LiveStreams,
) {
  const say = (line: string): void => streams.out(`${printable(line)}\n`);
  say(`transaction ${transactionId}`);
  if (found.length === 0) say(state.reason ?? 'The event has no recipient.');
  for (const one of found) {
    const deliveries = one.jobs.map((job) => deliveryOf(one, job));
    say(`${one.subscriber?.subscriberId ?? '(deleted)'}  ${one.status}`);
    for (const delivery of deliveries) {
      const line = `  ${delivery.channel.padEnd(8)} ${delivery.status.padEnd(10)} ${whyLine(delivery)}`;
      say(line.trimEnd());
      if (delivery.explanation) say(`      ${delivery.explanation.remedy}`);
    }
  }
}

function unique(found: readonly Notification[]): Notification[] {
  return [...new Map(found.map((one) => [one._id, one])).values()].reverse();
}

async function payloadIn(text: string, { read }: LiveStreams): Promise<object> {
  if (text !== '-' && !text.startsWith('@')) return objectIn(text, '--payload');
  const path = text === '-' ? text : text.slice(1);
  const written = await read(path).catch((error: Error) => {
    throw new CommandError(`--payload: ${path} cannot be read: ${error.message}`, 2);
  });
  return objectIn(written, '--payload');
}

function objectIn(text: string, option: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new CommandError(`${option} is not valid JSON: ${(error as Error).message}`, 2);
  }
  throw new CommandError(`${option} must be a JSON object such as '{"number": 4711}'.`, 2);
}

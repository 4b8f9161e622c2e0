import { setTimeout as sleep } from 'node:timers/promises';
import { Client, call } from './client.mjs';
import { HTTP_PORT, SMTP_PORT } from './peers.mjs';
import { Actor, world } from './world/world.mjs';

const SUBSCRIBERS = ['s0', 's1', 's2', 's3'];
const TOPIC = 'everyone';
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
const MAIL = message('email', { subject: 'mail {{n}} {{subscriber.subscriberId}}', contentType: 'customHtml' });
const PUSH = message('push', { title: 'push' });
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

/**
 * `gets`: what each recipient of each event receives. `waitsMs`: how long after the trigger at the earliest. `cancels`: what a cancellation
 * answered with `true` has stopped. `isDigest`: several events may come in one message. `threshold`: so many events of a slot pass.
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
  throttle: { steps: [THROTTLE, IN_APP], gets: [], threshold: THRESHOLD },
  wait: { steps: [WAIT, IN_APP], gets: [], isSignaled: true },
  mail: { steps: [MAIL], gets: ['mail'] },
  push: { steps: [PUSH], gets: ['push'] },
  chat: { steps: [CHAT], gets: ['chat'] },
  text: { steps: [TEXT], gets: ['text'] },
  'in-app, delay, chat': { steps: [IN_APP, timed('delay', 10), CHAT], gets: ['in_app', 'chat'], cancels: ['chat'] },
  scheduled: { steps: [IN_APP], gets: ['in_app'], isScheduled: true },
};
const TRIGGERED = Object.keys(KINDS).filter((kind) => !KINDS[kind].isScheduled);

/** Integrations, people, a topic, a webhook and workflows: on the disk before a run begins. @returns identifiers by kind */
export async function prepare() {
  const integrate = (providerId, channel, credentials) =>
    call('POST', '/v1/integrations', { providerId, channel, name: channel, active: true, check: false, credentials });
  const mailServer = { host: '127.0.0.1', port: String(SMTP_PORT), user: 'user', password: 'password' };
  await integrate('nodemailer', 'email', {
    ...mailServer,
    from: 'sender@example.com',
    senderName: 'Sender',
    ignoreTls: true,
  });
  await integrate('push-webhook', 'push', { webhookUrl: `${PEER}/push`, secretKey: 'secret' });
  await integrate('chat-webhook', 'chat', { webhookUrl: `${PEER}/chat` });
  const texts = { apiKeyRequestHeader: 'x-key', apiKey: 'secret', idPath: 'id', from: '+15550100' };
  await integrate('generic-sms', 'sms', { ...texts, baseUrl: `${PEER}/text` });
  for (const [n, subscriberId] of SUBSCRIBERS.entries()) await createSubscriber(call, subscriberId, n);
  await call('POST', '/v1/topics', { key: TOPIC, name: 'Everyone' });
  await call('POST', `/v1/topics/${TOPIC}/subscribers`, { subscribers: SUBSCRIBERS });
  await call('POST', '/v1/webhooks', { url: `${PEER}/webhook`, events: ['message.sent'] });
  const [group] = await call('GET', '/v1/notification-groups');
  const workflows = {};
  for (const [name, { steps }] of Object.entries(KINDS)) {
    const body = { name, notificationGroupId: group._id, active: true, steps };
    workflows[name] = (await call('POST', '/v1/workflows', body)).triggers[0].identifier;
  }
  return workflows;
}

async function createSubscriber(send, subscriberId, n) {
  await send('POST', '/v1/subscribers', { subscriberId, email: `${subscriberId}@example.com`, phone: `+1555000${n}` });
  const credentials = {
    'push-webhook': { deviceTokens: [`device-${subscriberId}`] },
    'chat-webhook': { webhookUrl: `${PEER}/chat` },
  };
  for (const [providerId, given] of Object.entries(credentials))
    await send('PUT', `/v1/subscribers/${subscriberId}/credentials`, { providerId, credentials: given });
}

/** What clients do in a run, and what they were answered. */
export class Workload {
  /** By number. */
  events = new Map();
  schedules = [];
  /** Whom somebody has deleted, by name. */
  deleted = new Map();
  next = 0;

  constructor({ workflows, processes, clients, operations }) {
    Object.assign(this, { workflows, processes, operations });
    this.clients = Array.from({ length: clients }, (_, n) => new Actor(`client-${n + 1}`));
  }

  run() {
    return Promise.all([
      ...this.clients.map((actor) => world.as(actor, 'client', () => this.work(actor.name))),
      world.as(new Actor('planner'), 'client', () => this.plans('planner')),
      world.as(new Actor('registrar'), 'client', () => this.deletes('registrar')),
    ]);
  }

  /** Requests under way may be taken at an earlier time than they were sent. */
  clockJumped(ms) {
    for (const event of this.events.values()) if (event.state !== 'accepted') event.sentAt += Math.min(0, ms);
    for (const person of this.deleted.values()) person.at += Math.max(0, ms);
  }

  clientOf(name) {
    const dice = world.dice(name);
    return [new Client(dice, this.processes), dice];
  }

  async work(name) {
    const [client, dice] = this.clientOf(name);
    for (let left = this.operations; left > 0; left -= 1) {
      const kind = dice.of(TRIGGERED);
      const batch = Array.from({ length: KINDS[kind].bulk ?? 1 }, () => this.plan(kind, dice));
      await this.trigger(client, kind, batch, dice.chance(0.8));
      if (KINDS[kind].isSignaled && dice.chance(0.5)) await this.signal(client, dice, batch[0]);
      else if (KINDS[kind].cancels && (KINDS[kind].isCanceledWhenDue || dice.chance(0.4)))
        await this.cancel(client, dice, batch[0]);
      await sleep(dice.between(0, 5_000));
    }
  }

  plan(kind, dice) {
    const n = this.next++;
    const to = KINDS[kind].isForAll ? SUBSCRIBERS : [dice.of(SUBSCRIBERS)];
    const event = { n, kind, to, slot: dice.below(3), transactionId: `f${n}`, sentAt: Date.now(), state: 'unknown' };
    this.events.set(n, event);
    return event;
  }

  /** @param insists whether the client repeats what was not answered, or leaves it */
  async trigger(client, kind, batch, insists) {
    const bodyOf = ({ n, to, slot, transactionId }) => ({
      name: this.workflows[kind],
      payload: { n, slot },
      transactionId,
      ...(kind !== 'broadcast' && { to: KINDS[kind].isForAll ? [{ type: 'Topic', topicKey: TOPIC }] : to[0] }),
    });
    const isOne = batch.length === 1;
    const { path = isOne ? '/v1/events/trigger' : '/v1/events/trigger/bulk' } = KINDS[kind];
    world.tell(`triggers ${kind}: events ${batch.map(({ n }) => n).join(', ')} to ${batch[0].to.join(', ')}`);
    for (let open = batch; open.length > 0;) {
      const body = isOne ? bodyOf(batch[0]) : { events: open.map(bodyOf) };
      const { isOk, data } = await client.once('POST', path, body);
      if (isOk) {
        const taken = (place) => (isOne ? data : data[place])?.acknowledged === true;
        open.forEach((event, place) => taken(place) && (event.state = 'accepted'));
        open = open.filter(({ state }) => state !== 'accepted');
      }
      if (!insists) return;
      if (open.length > 0) await sleep(500);
    }
  }

  async signal(client, dice, event) {
    await sleep(dice.between(0, 42_000));
    event.signal = { woken: undefined };
    const { isOk, data } = await client.once('POST', '/v1/events/signal', {
      name: 'go',
      transactionId: event.transactionId,
    });
    if (isOk) event.signal.woken = data.woken;
  }

  async cancel(client, dice, event) {
    const { waitsMs = 30_000 } = KINDS[event.kind];
    await sleep(dice.chance(0.5) ? dice.between(Math.max(0, waitsMs - 200), waitsMs + 300) : dice.between(0, waitsMs));
    const path = `/v1/events/trigger/${event.transactionId}`;
    event.cancel = { answer: undefined };
    const { isOk, data } = await client.once('DELETE', path);
    // After an answer that was lost, `true` holds as ever, and `false` may follow a cancellation that was in time.
    if (isOk) event.cancel.answer = data;
    else if (await client.insist('DELETE', path)) event.cancel.answer = true;
    world.tell(`cancels event ${event.n}: ${event.cancel.answer}`);
  }

  /** Schedules for single events. */
  async plans(name) {
    const [client, dice] = this.clientOf(name);
    for (let left = 3; left > 0; left -= 1) {
      const event = this.plan('scheduled', dice);
      const startAt = new Date(Date.now() + dice.between(60_000, 180_000)).toISOString();
      const body = { workflow: this.workflows.scheduled, subscribers: event.to, payload: { n: event.n }, startAt };
      const { isOk, data } = await client.once('POST', '/v1/schedules', body, [400, 422]);
      if (isOk) Object.assign(event, { state: 'accepted', transactionId: `schedule:${data._id}:${startAt}` });
      await sleep(dice.between(0, 60_000));
    }
  }

  /** Creates people, triggers something for them, and deletes them. */
  async deletes(name) {
    const [client, dice] = this.clientOf(name);
    for (let number = 0; number < 3; number += 1) {
      const subscriberId = `gone${number}`;
      const address = `${subscriberId}@example.com`;
      await client.insist('POST', '/v1/subscribers', { subscriberId, email: address });
      const kind = dice.of(['delay', 'digest', 'long delay', 'mail']);
      const body = {
        name: this.workflows[kind],
        payload: { n: 100_000 + number },
        to: { subscriberId, email: address },
        transactionId: subscriberId,
      };
      const trigger = await client.once('POST', '/v1/events/trigger', body);
      if (dice.chance(0.5)) await sleep(dice.between(0, 20_000));
      const { isOk } = await client.once('DELETE', `/v1/subscribers/${subscriberId}`);
      // A trigger that nobody answered may be taken after the deletion, and brings the person back.
      if (isOk && trigger.isOk) this.deleted.set(subscriberId, { address, at: Date.now() });
      await sleep(dice.between(0, 60_000));
    }
  }
}

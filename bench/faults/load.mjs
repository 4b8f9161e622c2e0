// The work of a run: triggers of all kinds by several clients, with a ledger of what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import { inApp, mail, smtpIntegration, timed } from '../support/content.mjs';
import { PUSHES_PER_SECOND } from './guards.mjs';

export const SUBSCRIBERS = Array.from({ length: 8 }, (_, n) => `s${n}`);
/** Subscribers of the kind `budget`. Broadcasts reach them, too. */
const BUDGETED = Array.from({ length: 8 }, (_, n) => `b${n}`);
export const TOPIC = 'everyone';
const CANCELED_PART = 0.35;
/** When events of `KINDS` with `isCanceledWhenDue` are canceled: their delay ends a second after the trigger. */
const NEAR_DUE_MS = { from: 900, to: 1_300 };
const REQUEST_MS = 40_000;

const LIST = inApp(
  '{{subscriber.subscriberId}} {{#if step.digest}}{{#each step.events}}{{n}} {{/each}}{{else}}{{n}}{{/if}}',
);
const MAIL = mail('mail {{n}} {{subscriber.subscriberId}}', '<p>{{n}}</p>');
const PUSH = { template: { type: 'push', title: 'push', content: 'push {{n}} {{subscriber.subscriberId}}' } };
const BACKOFF = {
  template: { type: 'digest', content: '' },
  metadata: { type: 'backoff', amount: 3, unit: 'seconds', backoffAmount: 2, backoffUnit: 'seconds' },
};

const THRESHOLD = 3;
const THROTTLE = {
  template: { type: 'throttle' },
  metadata: { amount: 1, unit: 'days', threshold: THRESHOLD, throttleKey: 'slot' },
};
/** Events of throttled kinds have one of so many keys. */
const SLOTS = 12;

/** Each subscriber gets so many text messages of its own in a day; what is over it is dropped. */
const BUDGET = 4;
/** In any minute, so many chat messages; what is over it comes as one digest. */
const HOLDING_BUDGET = 2;
const TEXT = { template: { type: 'sms', content: 'sms {{n}} {{subscriber.subscriberId}}' } };
const CHAT = { template: { type: 'chat', content: 'chat {{n}} {{subscriber.subscriberId}}' } };
const HELD = {
  template: {
    type: 'chat',
    content: 'held {{#each messages}}{{content}};{{/each}}',
  },
};
const TRACKED = mail('mail {{n}} {{subscriber.subscriberId}}', '<p><a href="https://shop.example/{{n}}">{{n}}</a></p>');

const WAIT_MS = 3_000;
const WAIT = {
  template: { type: 'wait_for_event' },
  metadata: { event: 'go', amount: WAIT_MS / 1_000, unit: 'seconds', onMatch: 'stop', onTimeout: 'continue' },
};
/** Of events that wait, so many get what they wait for. */
const SIGNALED_PART = 0.5;

/**
 * `cancels`: what a cancellation that is answered with `true` has stopped. `isCanceledWhenDue`: only clients trigger it that cancel it
 * at about the time at which it is due. `promises`: what each recipient of each event gets. `canCancel`: there is time to cancel it. `waitsMs`: what is delivered, by
 * its channel, and how long after its trigger at the earliest. `isScheduled`: schedules trigger it. `threshold`: how many events with the same
 * `slot` each recipient gets. `budget`: how many events each of `BUDGETED` gets. `isTracked`: what arrives is opened and clicked. `isSignaled`: half of them get a signal, and only the others are delivered.
 */
export const KINDS = {
  now: { steps: [LIST], promises: ['in_app'] },
  bulk: { steps: [LIST], promises: ['in_app'], bulk: 6 },
  topic: { steps: [LIST], promises: ['in_app'], to: 'topic' },
  broadcast: { steps: [LIST], promises: ['in_app'], to: 'all' },
  delay: { steps: [timed('delay', 2), LIST], promises: ['in_app'], canCancel: true, waitsMs: { in_app: 2_000 } },
  'in-app when canceled': { steps: [timed('delay', 1), LIST], promises: ['in_app'], isCanceledWhenDue: true },
  'push when canceled': { steps: [timed('delay', 1), PUSH], promises: ['push'], isCanceledWhenDue: true },
  digest: { steps: [timed('digest', 2), LIST], promises: ['in_app'], canCancel: true, isDigest: true },
  'bulk of a digest': { steps: [timed('digest', 2), LIST], promises: ['in_app'], isDigest: true, bulk: 6 },
  'digest, then delay': {
    steps: [timed('digest', 1), timed('delay', 2), LIST],
    promises: ['in_app'],
    canCancel: true,
    isDigest: true,
  },
  'two digests': {
    steps: [timed('digest', 1), timed('digest', 2), LIST],
    promises: ['in_app'],
    canCancel: true,
    isDigest: true,
  },
  backoff: { steps: [BACKOFF, LIST], promises: ['in_app'], isDigest: true },
  schedule: { steps: [LIST], promises: ['in_app'], isScheduled: true, waitsMs: { in_app: 0 } },
  throttle: { steps: [THROTTLE, LIST], promises: [], threshold: THRESHOLD },
  'delay, throttle': { steps: [timed('delay', 1), THROTTLE, LIST], promises: [], threshold: THRESHOLD },
  wait: { steps: [WAIT, LIST], promises: [], isSignaled: true },
  'delay, wait': { steps: [timed('delay', 1), WAIT, LIST], promises: [], isSignaled: true },
  budget: { steps: [TEXT], promises: [], budget: BUDGET },
  'budget that holds': { steps: [CHAT], promises: ['chat'] },
  mail: { steps: [MAIL], promises: ['mail'] },
  'tracked mail': {
    steps: [TRACKED],
    promises: ['mail'],
    isTracked: true,
    settings: { tracking: { opens: true, clicks: true } },
  },
  push: { steps: [PUSH], promises: ['push'] },
  'pushes in bulk': { steps: [PUSH], promises: ['push'], bulk: 6 },
  'in-app, delay, mail': {
    steps: [LIST, timed('delay', 1), MAIL],
    promises: ['in_app', 'mail'],
    cancels: ['mail'],
    canCancel: true,
    waitsMs: { email: 1_000 },
  },
};

/** Creates integrations, subscribers, a topic, a webhook and workflows. @returns the workflows' triggers by kind */
export async function prepare(call, catchers) {
  const [unreliable, reliable] = catchers.smtpPorts;
  const first = await smtpIntegration({ call }, unreliable, { name: 'Unreliable' });
  await smtpIntegration({ call }, reliable, { name: 'Reliable' });
  await call('POST', `/v1/integrations/${first._id}/set-primary`, {});
  await call('POST', '/v1/integrations', {
    providerId: 'push-webhook',
    channel: 'push',
    name: 'Push',
    active: true,
    check: false,
    messagesPerSecond: PUSHES_PER_SECOND,
    credentials: { webhookUrl: catchers.pushUrl, secretKey: 'secret' },
  });
  await prepareBudgeted(call, catchers);
  for (const subscriberId of SUBSCRIBERS) {
    await call('POST', '/v1/subscribers', { subscriberId, email: `${subscriberId}@example.com` });
    await call('PUT', `/v1/subscribers/${subscriberId}/credentials`, {
      providerId: 'push-webhook',
      credentials: { deviceTokens: [`device-${subscriberId}`] },
    });
    await call('PUT', `/v1/subscribers/${subscriberId}/credentials`, {
      providerId: 'chat-webhook',
      credentials: { webhookUrl: catchers.chatUrl },
    });
  }
  await call('POST', '/v1/topics', { key: TOPIC, name: 'Everyone' });
  await call('POST', `/v1/topics/${TOPIC}/subscribers`, { subscribers: SUBSCRIBERS });
  await call('POST', '/v1/webhooks', {
    url: catchers.webhookUrl,
    events: ['message.sent', 'message.clicked', 'message.opened'],
  });
  const [group] = await call('GET', '/v1/notification-groups');
  const workflows = {};
  for (const [name, { steps, settings }] of Object.entries(KINDS)) {
    const body = { name, notificationGroupId: group._id, active: true, steps, ...settings };
    workflows[name] = (await call('POST', '/v1/workflows', body)).triggers[0].identifier;
  }
  const digest = { name: 'Digest of the budget', notificationGroupId: group._id, active: true, steps: [HELD] };
  const { identifier: digestWorkflow } = (await call('POST', '/v1/workflows', digest)).triggers[0];
  const rolling = { window: 'rolling', amount: 1, unit: 'minutes' };
  const holding = {
    name: 'holding',
    channels: ['chat'],
    max: HOLDING_BUDGET,
    over: 'hold',
    digestWorkflow,
    ...rolling,
  };
  await call('POST', '/v1/budgets', holding);
  // Longer than any run: a calendar day could end meanwhile.
  const month = { window: 'rolling', amount: 30, unit: 'days' };
  await call('POST', '/v1/budgets', { name: 'dropping', channels: ['sms'], max: BUDGET, over: 'drop', ...month });
  return workflows;
}

async function prepareBudgeted(call, catchers) {
  await call('POST', '/v1/integrations', {
    providerId: 'generic-sms',
    channel: 'sms',
    name: 'Text',
    active: true,
    check: false,
    credentials: {
      baseUrl: catchers.textUrl,
      apiKeyRequestHeader: 'x-key',
      apiKey: 'secret',
      idPath: 'id',
      from: '+15550100',
    },
  });
  await call('POST', '/v1/integrations', {
    providerId: 'chat-webhook',
    channel: 'chat',
    name: 'Chat',
    active: true,
    check: false,
    credentials: { webhookUrl: catchers.chatUrl },
  });
  const subscribers = BUDGETED.map((subscriberId, n) => ({
    subscriberId,
    phone: `+1555${String(n).padStart(4, '0')}`,
  }));
  await call('POST', '/v1/subscribers/bulk', { subscribers });
}

/** What clients were answered, other than 2xx. */
export class Answers {
  counts = new Map();
  longestMs = 0;
  /** Answers that no client should get. */
  faults = [];

  note(what, ms, fault) {
    this.longestMs = Math.max(this.longestMs, ms);
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
    if (fault !== undefined) this.faults.push(fault);
  }
}

export class Load {
  /** Acknowledged events by number: { kind, to, transactionId, cancel }. */
  events = new Map();
  answers = new Answers();
  #next = 0;

  /** @param scheduled events that schedules will trigger */
  constructor({ fleet, workflows, random, endsAt, scheduled }) {
    Object.assign(this, { fleet, workflows, random, endsAt });
    for (const event of scheduled) this.events.set(event.n, event);
  }

  /** @param cancelers clients that cancel what is just due */
  async run(clients, cancelers) {
    await Promise.all([
      ...Array.from({ length: clients }, () => this.#client()),
      ...Array.from({ length: cancelers }, () => this.#canceler()),
    ]);
  }

  async #canceler() {
    const kinds = Object.keys(KINDS).filter((kind) => KINDS[kind].isCanceledWhenDue);
    const { from, to } = NEAR_DUE_MS;
    while (Date.now() < this.endsAt) {
      const event = this.#plan(kinds[Math.floor(this.random() * kinds.length)]);
      await this.#trigger(event.kind, [event]);
      this.events.set(event.n, event);
      await sleep(from + this.random() * (to - from));
      await this.#cancel(event);
    }
  }

  async #client() {
    const kinds = Object.keys(KINDS).filter((kind) => !KINDS[kind].isCanceledWhenDue && !KINDS[kind].isScheduled);
    while (Date.now() < this.endsAt) {
      const kind = kinds[Math.floor(this.random() * kinds.length)];
      const { bulk = 1, canCancel, isSignaled } = KINDS[kind];
      const batch = Array.from({ length: bulk }, () => this.#plan(kind));
      await this.#trigger(kind, batch);
      for (const event of batch) this.events.set(event.n, event);
      if (isSignaled && this.random() < SIGNALED_PART) await this.#signal(batch[0]);
      if (canCancel && this.random() < CANCELED_PART) {
        await sleep(this.random() * 3_000);
        await this.#cancel(batch[0]);
      }
      await sleep(this.random() * 250);
    }
  }

  #plan(kind) {
    const n = this.#next++;
    const isForAll = KINDS[kind].to !== undefined;
    const people = KINDS[kind].budget === undefined ? SUBSCRIBERS : BUDGETED;
    const all = KINDS[kind].to === 'all' ? [...SUBSCRIBERS, ...BUDGETED] : SUBSCRIBERS;
    const to = isForAll ? all : [people[Math.floor(this.random() * people.length)]];
    const slot = KINDS[kind].threshold === undefined ? undefined : Math.floor(this.random() * SLOTS);
    return { n, kind, to, slot, transactionId: `f${n}`, sentAt: Date.now(), cancel: undefined };
  }

  async #trigger(kind, batch) {
    const name = this.workflows[kind];
    const bodyOf = ({ n, to, slot, transactionId }) => ({
      name,
      payload: { n, slot },
      transactionId,
      ...(KINDS[kind].to === undefined && { to: to[0] }),
      ...(KINDS[kind].to === 'topic' && { to: [{ type: 'Topic', topicKey: TOPIC }] }),
    });
    if (KINDS[kind].to === 'all') return this.#insist('POST', '/v1/events/trigger/broadcast', bodyOf(batch[0]));
    if (batch.length === 1) return this.#insist('POST', '/v1/events/trigger', bodyOf(batch[0]));
    for (let open = batch; open.length > 0;) {
      const results = await this.#insist('POST', '/v1/events/trigger/bulk', { events: open.map(bodyOf) });
      open = open.filter((_event, place) => results[place]?.acknowledged !== true);
      if (open.length > 0) await sleep(200);
    }
  }

  /** Before the wait begins, while it lasts, and when it ends. */
  async #signal(event) {
    await sleep(this.random() * (WAIT_MS + 500));
    event.signal = { woken: 0 };
    event.signal.woken = (await this.#insist('POST', '/v1/events/signal', signalOf(event))).woken;
  }

  async #cancel(event) {
    const path = `/v1/events/trigger/${event.transactionId}`;
    event.cancel = { answer: undefined };
    const { isOk, data } = await this.#once('DELETE', path);
    // After an answer that was lost or 503, `true` holds as ever, and `false` may follow a cancellation that was in time.
    if (isOk) event.cancel.answer = data;
    else if (await this.#insist('DELETE', path)) event.cancel.answer = true;
  }

  /** Repeats a request until it succeeds: without an answer it may have been carried out or not. */
  async #insist(method, path, body) {
    for (;;) {
      const { isOk, data } = await this.#once(method, path, body);
      if (isOk) return data;
      await sleep(100 + this.random() * 200);
    }
  }

  async #once(method, path, body) {
    const { apis, apiKey } = this.fleet;
    const { url } = apis[Math.floor(this.random() * apis.length)];
    const begun = performance.now();
    try {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(REQUEST_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const ms = performance.now() - begun;
      const isExpected = answer.ok || (answer.status === 503 && answer.headers.has('retry-after'));
      const fault = isExpected ? undefined : `${method} ${path}: ${answer.status} ${text.slice(0, 300)}`;
      this.answers.note(answer.ok ? '2xx' : String(answer.status), ms, fault);
      return { isOk: answer.ok, data: answer.ok ? JSON.parse(text).data : undefined };
    } catch (error) {
      const what = error.name === 'TimeoutError' ? `no answer in ${REQUEST_MS / 1_000} s` : 'connection lost';
      this.answers.note(what, performance.now() - begun);
      return { isOk: false };
    }
  }
}

function signalOf({ transactionId }) {
  return { name: 'go', transactionId };
}

import { BUDGET, KINDS, THRESHOLD } from './kinds.mjs';
import { TEXT_PROVIDERS } from './peers.mjs';
import { world } from './world/world.mjs';

/** A worker that stands still may hold a message of a person who is deleted. */
const HELD_MS = 60_000;
/** What says that something comes once, other than of messages of providers. */
const ONCE = { in_app: 'P2', step: 'P24' };
const GONE = new Set(['event_missing', 'workflow_version_missing']);

/** What is not finished, of everything that is kept until it is. */
export async function openWork(store) {
  const open = [
    ['notifications', { $or: [{ status: 'active' }, { wakeAt: { $exists: true } }] }],
    ['triggerEvents', { wakeAt: { $exists: true } }],
    ['messages', { $or: [{ wakeAt: { $exists: true } }, { untold: { $exists: true } }] }],
    ['webhookDeliveries', { status: 'pending' }],
    ['schedules', { wakeAt: { $exists: true } }],
    ['questions', { wakeAt: { $exists: true } }],
    ['notificationReplays', { wakeAt: { $exists: true } }],
  ];
  const found = [];
  for (const [collection, filter] of open) {
    for (const row of await store.read(collection, filter))
      found.push({
        what: `${collection} ${row.transactionId ?? row._id}: ${row.status}, ${row.wakeAt?.toISOString()}`,
        wakeAt: row.wakeAt,
      });
  }
  return found;
}

/** Compares what was answered with what arrived and what is stored. Each contradiction is a broken promise. */
export class Oracle {
  constructor({ store, peers, workload }) {
    Object.assign(this, { store, peers, workload });
  }

  async judge(unfinished) {
    await this.load();
    // Where the clock has gone back, some of it is not due yet.
    for (const { what, wakeAt } of unfinished) if (!(wakeAt > new Date())) world.fail('P17', what);
    for (const event of this.workload.events.values()) this.judgeEvent(event);
    this.judgeThrottles();
    this.judgeBudget();
    this.judgeReplays();
    this.judgeRecords();
    this.workload.people.judge(this.messages, this.peers, this.workload.events);
    this.workload.questions.judge(this.questions, this.messages, this.peers.webhooks);
    this.judgeAsks();
    this.judgeDeleted();
  }

  async load() {
    for (const name of ['subscribers', 'notifications', 'messages', 'questions'])
      this[name] = await this.store.read(name);
    this.events = await this.store.read('triggerEvents');
    this.nameOf = new Map(this.subscribers.map(({ _id, subscriberId }) => [_id.toHexString(), subscriberId]));
    /** Times of arrival by channel, event and subscriber. */
    this.arrivals = new Map();
    for (const { channel, n, subscriber, at } of this.peers.arrived) this.arrive(`${channel} ${n} ${subscriber}`, at);
    for (const { channel, content, createdAt } of this.messages) {
      if (channel !== 'in_app') continue;
      const [subscriber, ...numbers] = content.trim().split(/\s+/);
      for (const n of numbers) this.arrive(`in_app ${n} ${subscriber}`, createdAt.getTime());
    }
  }

  arrive(key, at) {
    this.arrivals.set(key, [...(this.arrivals.get(key) ?? []), at]);
  }

  judgeEvent(event) {
    const kind = KINDS[event.kind];
    for (const subscriber of event.to) {
      const trail = this.trailOf(event, subscriber);
      for (const what of new Set([...kind.gets, ...(kind.threshold || kind.isSignaled ? ['in_app'] : [])]))
        this.judgeDelivery(event, kind, subscriber, what, trail);
      // A cancellation may come before the event is expanded.
      const mayHaveNone = event.cancel !== undefined && event.cancel.answer !== false;
      if (event.state === 'accepted' && trail.length === 0 && !mayHaveNone)
        world.fail(
          kind.isScheduled ? 'P9' : 'P1',
          `event ${event.n} (${event.kind}) was accepted and has no notification for ${subscriber}`,
        );
    }
    const stored = this.events.filter(({ transactionId }) => transactionId === event.transactionId);
    if (stored.length > 1)
      world.fail(kind.isScheduled ? 'P9' : 'P16', `event ${event.n} is stored ${stored.length} times`);
  }

  eventsOf(kind) {
    return [...this.workload.events.values()].filter((event) => event.kind === kind);
  }

  trailOf({ transactionId }, subscriber) {
    return this.notifications.filter(
      (one) => one.transactionId === transactionId && this.nameOf.get(one._subscriberId.toHexString()) === subscriber,
    );
  }

  judgeDelivery(event, kind, subscriber, what, trail) {
    const times = this.arrivals.get(`${what} ${event.n} ${subscriber}`) ?? [];
    const shown = `event ${event.n} (${event.kind}) to ${subscriber}: ${what}`;
    if (times.length > 1) world.fail(kind.isDigest ? 'P5' : (ONCE[what] ?? 'P3'), `${shown} ${times.length} times`);
    const isStopped = event.cancel?.answer === true && kind.cancels.includes(what);
    if (isStopped && times.length > 0) world.fail('P7', `${shown} although true was answered to its cancellation`);
    const early = kind.waitsMs && !event.wasDue && times.find((at) => at < event.sentAt + kind.waitsMs);
    if (early) world.fail('P6', `${shown} after ${early - event.sentAt} ms`);
    if (kind.isSignaled) return this.judgeWait(event, times.length, shown);
    if (kind.threshold || times.length > 0 || event.state !== 'accepted') return undefined;
    const mayBeStopped = event.cancel !== undefined && event.cancel.answer !== false;
    if (mayBeStopped) return undefined;
    const isReported = trail.some(({ steps }) =>
      steps.some(({ status, reason }) => status === 'failed' || ['uncertain', 'budget'].includes(reason)),
    );
    if (isReported && (what !== 'in_app' || kind.mayFail)) return undefined;
    const promise = event.cancel?.answer === false ? 'P8' : kind.isDigest ? 'P5' : what === 'in_app' ? 'P1' : 'P4';
    return world.fail(promise, `${shown} is lost: ${trail.map(describe).join('; ') || 'no notification'}`);
  }

  judgeWait({ signal, state }, count, shown) {
    if (signal?.woken > 0 && count > 0) world.fail('P10', `${shown} although a signal has ended its wait`);
    if (signal === undefined && state === 'accepted' && count !== 1)
      world.fail('P10', `${shown} ${count} times after its deadline`);
    // A wait that begins after its signal finds it, and is not counted as woken.
    if (count > 1) world.fail('P10', `${shown} ${count} times`);
  }

  judgeThrottles() {
    const windows = new Map();
    for (const event of this.eventsOf('throttle')) {
      const name = `slot ${event.slot} of ${event.to[0]}`;
      windows.set(name, [...(windows.get(name) ?? []), event]);
    }
    for (const [name, events] of windows) {
      const accepted = events.filter(({ state }) => state === 'accepted').length;
      const passed = events.flatMap(({ n, to }) => this.arrivals.get(`in_app ${n} ${to[0]}`) ?? []).length;
      if (passed > THRESHOLD || passed < Math.min(THRESHOLD, accepted))
        world.fail('P11', `${passed} events of ${name} passed, of ${accepted} accepted ones`);
    }
  }

  judgeBudget() {
    const texts = this.eventsOf('text');
    for (const subscriber of KINDS.text.people) {
      const own = texts.filter(({ to }) => to[0] === subscriber);
      const steps = own.flatMap((event) => this.trailOf(event, subscriber)).map((run) => run.steps[0]);
      const dropped = steps.filter(({ reason }) => reason === 'budget').length;
      const passed = steps.length - dropped;
      if (passed > BUDGET || (dropped > 0 && passed < BUDGET))
        world.fail('P25', `${passed} texts to ${subscriber} passed, and ${dropped} did not`);
    }
    for (const { n, to, transactionId } of texts) {
      const [step] = this.trailOf({ transactionId }, to[0]).flatMap(({ steps }) => steps);
      if (step?.status !== 'failed' || mayBeSent(step)) continue;
      const untried = TEXT_PROVIDERS.filter((path) => !this.peers.tried.has(`${path} sms ${n} ${to[0]}`));
      if (untried.length > 0) world.fail('P26', `text ${n} failed, and ${untried.join(', ')} was not tried`);
    }
  }

  judgeReplays() {
    for (const run of this.notifications) {
      const { _id, transactionId, steps } = run;
      const count = Math.max(...steps.map(({ replays = 0 }) => replays));
      const answered = this.workload.replays.get(_id.toHexString()) ?? 0;
      if (count < answered)
        world.fail('P27', `${answered} replays of ${transactionId} were accepted, and ${count} carried out`);
      if (steps.some((step) => step.status === 'failed' && !mayBeSent(step)))
        world.fail('P27', `${transactionId} was replayed when nothing went wrong, and is ${describe(run)}`);
    }
  }

  /** What a step waits for is the outcome of its question. */
  judgeAsks() {
    for (const { n, to } of this.eventsOf('ask')) {
      const asked = this.questions.filter(({ title }) => title === `ask ${n}`);
      if (asked.length > 1) world.fail('P23', `event ${n} has asked ${asked.length} questions`);
      const told = this.messages.find(({ content }) => content?.startsWith(`${to[0]} ${n} `));
      const [, , status, value] = told?.content.trim().split(' ') ?? [];
      const [{ status: real, outcome } = {}] = asked;
      if (told && (status !== real || value !== outcome?.value))
        world.fail('P23', `event ${n} goes on with ${status} ${value}, and its question is ${real} ${outcome?.value}`);
    }
  }

  judgeRecords() {
    const sent = this.peers.webhooks.filter(({ type }) => type === 'message.sent');
    const told = new Set(sent.map(({ message }) => message._id));
    for (const { _id, status, channel, transactionId } of this.messages) {
      if (status === 'sent' && !told.has(_id.toHexString()))
        world.fail('P13', `${channel} message ${_id} of ${transactionId} has no webhook`);
    }
    const known = new Set(this.events.map(({ transactionId }) => transactionId));
    const runs = new Set();
    for (const { transactionId, _subscriberId, steps } of this.notifications) {
      const name = `${transactionId} for ${this.nameOf.get(_subscriberId.toHexString()) ?? _subscriberId}`;
      if (!known.has(transactionId) || steps.some(({ reason }) => GONE.has(reason)))
        world.fail('P18', `${name} has no event`);
      if (runs.has(name)) world.fail('P18', `${name} has two notifications`);
      runs.add(name);
    }
  }

  judgeDeleted() {
    for (const [subscriberId, { address, at }] of this.workload.deleted) {
      const back = this.subscribers.find((one) => one.subscriberId === subscriberId && one.deleted !== true);
      if (back !== undefined) world.fail('P12', `${subscriberId} was deleted and is there again`);
      const kept = [...this.events, ...this.notifications].filter((row) => JSON.stringify(row).includes(address));
      for (const { _id } of kept) world.fail('P12', `${address} is still in ${_id}`);
      const late = this.peers.arrived.find((one) => one.subscriber === subscriberId && one.at > at + HELD_MS);
      if (late) world.fail('P12', `${subscriberId} gets a ${late.channel} ${late.at - at} ms after the deletion`);
    }
  }
}

/** As a replay sees it. */
const mayBeSent = ({ reason, mayBeSent: may, calls }) => reason === 'uncertain' || may === true || calls !== undefined;

const describe = ({ status, steps }) =>
  `${status} (${steps.map((step) => [step.type, step.status, step.reason, step.errorText].filter(Boolean).join(' ')).join(', ')})`;

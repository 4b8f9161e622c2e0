import { KINDS, THRESHOLD } from './workload.mjs';
import { world } from './world/world.mjs';

/** A worker that stands still may hold a message of a person who is deleted. */
const HELD_MS = 60_000;
const GONE = new Set(['event_missing', 'workflow_version_missing']);

/** What is not finished, of everything that is kept until it is. */
export async function openWork(store) {
  const open = [
    ['notifications', { $or: [{ status: 'active' }, { wakeAt: { $exists: true } }] }],
    ['triggerEvents', { wakeAt: { $exists: true } }],
    ['webhookDeliveries', { status: 'pending' }],
    ['schedules', { wakeAt: { $exists: true } }],
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
    this.judgeRecords();
    this.judgeDeleted();
  }

  async load() {
    const { store, peers } = this;
    const subscribers = await store.read('subscribers');
    this.subscribers = subscribers;
    this.nameOf = new Map(subscribers.map(({ _id, subscriberId }) => [_id.toHexString(), subscriberId]));
    this.events = await store.read('triggerEvents');
    this.notifications = await store.read('notifications');
    this.messages = await store.read('messages');
    /** Times of arrival by channel, event and subscriber. */
    this.arrivals = new Map();
    for (const { channel, n, subscriber, at } of peers.arrived) this.arrive(`${channel} ${n} ${subscriber}`, at);
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

  trailOf({ transactionId }, subscriber) {
    return this.notifications.filter(
      (one) => one.transactionId === transactionId && this.nameOf.get(one._subscriberId.toHexString()) === subscriber,
    );
  }

  judgeDelivery(event, kind, subscriber, what, trail) {
    const times = this.arrivals.get(`${what} ${event.n} ${subscriber}`) ?? [];
    const shown = `event ${event.n} (${event.kind}) to ${subscriber}: ${what}`;
    if (times.length > 1)
      world.fail(kind.isDigest ? 'P5' : what === 'in_app' ? 'P2' : 'P3', `${shown} ${times.length} times`);
    const isStopped = event.cancel?.answer === true && kind.cancels.includes(what);
    if (isStopped && times.length > 0) world.fail('P7', `${shown} although true was answered to its cancellation`);
    const early = kind.waitsMs && times.find((at) => at < event.sentAt + kind.waitsMs);
    if (early) world.fail('P6', `${shown} after ${early - event.sentAt} ms`);
    if (kind.isSignaled) return this.judgeWait(event, times.length, shown);
    if (kind.threshold || times.length > 0 || event.state !== 'accepted') return undefined;
    const mayBeStopped = event.cancel !== undefined && event.cancel.answer !== false;
    if (mayBeStopped && kind.cancels.includes(what)) return undefined;
    const isReported = trail.some(({ steps }) =>
      steps.some(({ status, reason }) => status === 'failed' || reason === 'uncertain'),
    );
    if (isReported && what !== 'in_app') return undefined;
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
    for (const { n, kind, to, slot, state } of this.workload.events.values()) {
      if (KINDS[kind].threshold === undefined) continue;
      const name = `slot ${slot} of ${to[0]}`;
      const window = windows.get(name) ?? { accepted: 0, passed: 0 };
      if (state === 'accepted') window.accepted += 1;
      window.passed += (this.arrivals.get(`in_app ${n} ${to[0]}`) ?? []).length;
      windows.set(name, window);
    }
    for (const [name, { accepted, passed }] of windows) {
      if (passed > THRESHOLD || passed < Math.min(THRESHOLD, accepted))
        world.fail('P11', `${passed} events of ${name} passed, of ${accepted} accepted ones`);
    }
  }

  judgeRecords() {
    const told = new Set(this.peers.webhooks.map(({ message }) => message));
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

const describe = ({ status, steps }) =>
  `${status} (${steps.map((step) => [step.type, step.status, step.reason, step.errorText].filter(Boolean).join(' ')).join(', ')})`;

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.mjs';
import { KINDS, SUBSCRIBERS, TOPIC, TRIGGERED } from './kinds.mjs';
import { People } from './people.mjs';
import { Questions } from './questions.mjs';
import { Actor, world } from './world/world.mjs';

/** What clients do in a run, and what they were answered. */
export class Workload {
  /** By number. */
  events = new Map();
  /** Whom somebody has deleted, by name. */
  deleted = new Map();
  questions = new Questions();
  /** How often a replay of a notification was answered with 2xx, by its id. */
  replays = new Map();
  next = 0;

  constructor({ workflows, peers, processes, clients, operations }) {
    Object.assign(this, { workflows, peers, processes, operations });
    this.people = new People(workflows);
    this.clients = Array.from({ length: clients }, (_, n) => new Actor(`client-${n + 1}`));
  }

  run() {
    const { questions, people } = this;
    this.peers.onMail = (subject, source) => people.read(subject, source);
    const others = {
      planner: (client, dice) => this.plans(client, dice),
      registrar: (client, dice) => this.deletes(client, dice),
      mechanic: (client, dice) => this.replay(client, dice),
      asker: (client, dice) => questions.ask(client, dice),
      people: (client, dice) => questions.answer(client, dice),
      owl: (client, dice) => people.lift(client, dice, () => this.triggerSome(client, 'quiet hours', dice)),
      reader: (client, dice) => people.beginReading(client, dice),
      editor: (client, dice) => people.edit(client, dice),
      dozer: (client, dice) => people.snooze(client, dice),
    };
    return Promise.all([
      ...this.clients.map((actor) => this.begin(actor, (client, dice) => this.work(client, dice))),
      ...Object.entries(others).map(([name, act]) => this.begin(new Actor(name), act)),
    ]);
  }

  begin(actor, act) {
    const dice = world.dice(actor.name);
    return world.as(actor, 'client', () => act(new Client(dice, this.processes), dice));
  }

  /** Requests under way may be taken at an earlier time than they were sent. */
  clockJumped(ms) {
    for (const event of this.events.values()) {
      // What was due before the clock was set back may be under way.
      event.wasDue ||= Date.now() - ms >= event.sentAt + KINDS[event.kind].waitsMs;
      if (event.state !== 'accepted') event.sentAt += Math.min(0, ms);
    }
    for (const person of this.deleted.values()) person.at += Math.max(0, ms);
    this.people.clockJumped(ms);
  }

  async work(client, dice) {
    for (let left = this.operations; left > 0; left -= 1) {
      const kind = dice.of(TRIGGERED);
      const batch = await this.triggerSome(client, kind, dice);
      if (KINDS[kind].isSignaled && dice.chance(0.8)) await this.signal(client, dice, batch[0]);
      else if (KINDS[kind].cancels && (KINDS[kind].isCanceledWhenDue || dice.chance(0.4)))
        await Promise.all(batch.map((event) => this.cancel(client, dice, event)));
      await sleep(dice.between(0, 5_000));
    }
  }

  async triggerSome(client, kind, dice) {
    const batch = Array.from({ length: KINDS[kind].bulk ?? 1 }, () => this.plan(kind, dice));
    await this.trigger(client, kind, batch, dice.chance(0.8));
    return batch;
  }

  plan(kind, dice) {
    const n = this.next++;
    const to = KINDS[kind].isForAll ? SUBSCRIBERS : [dice.of(KINDS[kind].people ?? SUBSCRIBERS)];
    const sent = { sentAt: Date.now(), sentMs: world.now() };
    const event = { n, kind, to, slot: dice.below(3), transactionId: `f${n}`, ...sent, state: 'unknown' };
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
        const accepted = { state: 'accepted', acceptedMs: world.now() };
        open.forEach((event, place) => taken(place) && Object.assign(event, accepted));
        open = open.filter(({ state }) => state !== 'accepted');
      }
      if (!insists) return;
      if (open.length > 0) await sleep(500);
    }
  }

  async signal(client, dice, event) {
    await sleep(dice.chance(0.5) ? dice.between(39_900, 40_300) : dice.between(0, 42_000));
    event.signal = { woken: undefined };
    const { isOk, data } = await client.once('POST', '/v1/events/signal', {
      name: 'go',
      transactionId: event.transactionId,
    });
    if (isOk) event.signal.woken = data.woken;
  }

  async cancel(client, dice, event) {
    const { waitsMs = 30_000 } = KINDS[event.kind];
    if (KINDS[event.kind].isCanceledWhenDue && dice.chance(0.5)) await this.callOf(event);
    else if (dice.chance(0.5)) await sleep(dice.between(Math.max(0, waitsMs - 200), waitsMs + 300));
    else await sleep(dice.between(0, waitsMs));
    const path = `/v1/events/trigger/${event.transactionId}`;
    event.cancel = { answer: undefined };
    const { isOk, data } = await client.once('DELETE', path);
    // After an answer that was lost, `true` holds as ever, and `false` may follow a cancellation that was in time.
    if (isOk) event.cancel.answer = data;
    else if (await client.insist('DELETE', path)) event.cancel.answer = true;
    world.tell(`cancels event ${event.n}: ${event.cancel.answer}`);
  }

  /** Until somebody tries to send its message. */
  async callOf({ n, to: [subscriber] }) {
    await sleep(1_900);
    for (let left = 800; left > 0 && !this.peers.tried.has(`push push ${n} ${subscriber}`); left -= 1) await sleep(3);
  }

  /** Schedules for single events. */
  async plans(client, dice) {
    for (let left = 6; left > 0; left -= 1) {
      const event = this.plan('scheduled', dice);
      const startAt = new Date(Date.now() + dice.between(60_000, 180_000)).toISOString();
      const body = { workflow: this.workflows.scheduled, subscribers: event.to, payload: { n: event.n }, startAt };
      const { isOk, data } = await client.once('POST', '/v1/schedules', body, [400, 422]);
      if (isOk) Object.assign(event, { state: 'accepted', transactionId: `schedule:${data._id}:${startAt}` });
      await sleep(dice.between(0, 60_000));
    }
  }

  /** Replays what has failed, all of it or one. */
  async replay(client, dice) {
    for (let left = 10; left > 0; left -= 1) {
      await sleep(dice.between(5_000, 40_000));
      if (dice.chance(0.4)) {
        await client.once('POST', '/v1/notifications/replay', { filter: {} }, [409]);
        continue;
      }
      const { isOk, data } = await client.once('GET', '/v1/notifications?status=failed');
      if (!isOk || data.length === 0) continue;
      const { _id } = dice.of(data);
      // Two clients want the same.
      await Promise.all([1, 2].map(() => this.replayOne(client, _id)));
    }
  }

  async replayOne(client, id) {
    const { isOk } = await client.once('POST', `/v1/notifications/${id}/replay`, {}, [409]);
    if (isOk) this.replays.set(id, (this.replays.get(id) ?? 0) + 1);
  }

  /** After everything that went wrong: a replay of what has failed, and mails, whose opens are not lost then. */
  afterwards() {
    return this.begin(new Actor('mechanic'), async (client, dice) => {
      await client.insist('POST', '/v1/notifications/replay', { filter: {} });
      for (let left = 3; left > 0; left -= 1) await this.triggerSome(client, 'mail', dice);
    });
  }

  /** Creates people, triggers something for them, and deletes them. */
  async deletes(client, dice) {
    for (let number = 0; number < 6; number += 1) {
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

import { setTimeout as sleep } from 'node:timers/promises';
import { OWL, pushOf, SUBSCRIBERS } from './kinds.mjs';
import { world } from './world/world.mjs';

/** Another process may trigger the former version of a workflow for so long. */
const CACHED_MS = 1_100;
/** What is recorded of a mail: what somebody loads then, how often, and the event that tells of it. */
const ENGAGEMENTS = {
  opens: { path: /\/open\/[\w.~-]+/, share: 1, told: 'message.opened' },
  clicks: { path: /\/click\/[\w.~-]+/, share: 0.5, told: 'message.clicked' },
};
/** What was under way when things went wrong is over then. */
const CALM_AFTER_MS = 60_000;

/** What people do with what they get and when they want it, and what an editor changes under them. */
export class People {
  /** When a message is shown again at the earliest, by its id. */
  snoozes = new Map();
  /** Subjects of mails that somebody has opened, and whose links were followed, when nothing went wrong. */
  calmly = { opens: new Set(), clicks: new Set() };
  /** Of the workflow that is edited: when each was sent, and since when no other is there. */
  versions = [{ sentMs: 0, heldMs: 0 }];
  /** When the quiet hours of the owl end. */
  wokenMs = Infinity;

  constructor(workflows) {
    this.workflows = workflows;
  }

  /** The quiet hours end at the moment when something arrives. */
  async lift(client, dice, trigger) {
    await sleep(dice.between(20_000, 120_000));
    const triggered = trigger();
    await sleep(dice.between(0, 60));
    this.wokenMs = world.now();
    await client.insist('PATCH', `/v1/subscribers/${OWL}/preferences`, { schedule: { isEnabled: false } });
    await triggered;
  }

  async edit(client, dice) {
    const { _id } = await client.insist('GET', `/v1/workflows/${this.workflows.edited}`);
    for (let version = 1; version <= 6; version += 1) {
      await sleep(dice.between(5_000, 40_000));
      const edit = { sentMs: world.now() };
      this.versions.push(edit);
      const { isOk } = await client.once('PUT', `/v1/workflows/${_id}`, { steps: pushOf(version) });
      if (isOk) edit.heldMs = world.now();
    }
  }

  async snooze(client, dice) {
    for (let left = 12; left > 0; left -= 1) {
      await sleep(dice.between(0, 20_000));
      const path = `/v2/subscribers/${dice.of(SUBSCRIBERS)}/notifications`;
      const { isOk, data } = await client.once('GET', path);
      if (!isOk || data.length === 0) continue;
      for (const { id } of data)
        if (this.snoozes.get(id) > Date.now()) world.fail('P30', `message ${id} is shown before its time`);
      const { id } = dice.of(data);
      const until = Date.now() + dice.between(3_000, 30_000);
      const body = { snoozeUntil: new Date(until).toISOString() };
      const answer = await client.once('PATCH', `${path}/${id}/snooze`, body, [400, 404, 422]);
      // What nobody has answered may be carried out at any time.
      this.snoozes.set(id, answer.isOk && !this.snoozes.has(id) ? until : 0);
    }
  }

  beginReading(client, dice) {
    Object.assign(this, { client, dice, reader: world.actor });
  }

  /** A mail program shows a mail as soon as it has come, or later, and some people follow its link. */
  read(subject, source) {
    return world.as(this.reader, 'read', async () => {
      await sleep(this.dice.of([0, 0, 5_000]));
      for (const [kind, { path, share }] of Object.entries(ENGAGEMENTS)) {
        // Mails that ask have no link that is followed.
        const [address] = (this.dice.chance(share) && path.exec(source)) || [];
        if (address !== undefined) await this.engage(kind, subject, address);
      }
    });
  }

  async engage(kind, subject, path) {
    const isCalm = world.now() > this.calmMs;
    const { isOk } = await this.client.once('GET', path);
    if (isOk && isCalm) this.calmly[kind].add(subject);
  }

  calm() {
    this.calmMs = world.now() + CALM_AFTER_MS;
  }

  clockJumped(ms) {
    if (ms < 0) for (const id of this.snoozes.keys()) this.snoozes.set(id, 0);
  }

  /** @param messages what is stored; @param peers what has arrived; @param events what clients triggered, by number */
  judge(messages, { arrived, webhooks }, events) {
    for (const { _id, snoozedUntil } of messages)
      if (snoozedUntil <= new Date()) world.fail('P30', `message ${_id} was snoozed and is not back`);
    for (const { n, subscriber, version, ms } of arrived) {
      if (subscriber === OWL && ms < this.wokenMs) world.fail('P28', `event ${n} arrives in quiet hours`);
      if (version !== undefined) this.judgeVersion(Number(version), events.get(n));
    }
    for (const kind of Object.keys(ENGAGEMENTS)) this.judgeEngagements(kind, messages, webhooks);
  }

  judgeVersion(version, { n, sentMs, acceptedMs = Infinity }) {
    const isGone = this.versions.slice(version + 1).some(({ heldMs }) => heldMs + CACHED_MS < sentMs);
    const isCertain = this.versions[version].heldMs !== undefined;
    if ((isGone && isCertain) || this.versions[version].sentMs > acceptedMs)
      world.fail('P29', `event ${n} is carried out by version ${version} of its workflow`);
  }

  judgeEngagements(kind, messages, webhooks) {
    const told = webhooks.filter(({ type }) => type === ENGAGEMENTS[kind].told);
    for (const { _id, transactionId, subject, [kind]: stored = [] } of messages) {
      if (!SUBSCRIBERS.includes(subject?.split(' ').at(-1))) continue;
      const own = new Set(told.filter(({ message }) => message._id === _id.toHexString()).map(({ id }) => id));
      if (own.size !== stored.length)
        world.fail('P31', `mail ${transactionId} has ${stored.length} ${kind}, and ${own.size} were told`);
      if (this.calmly[kind].has(subject) && stored.length === 0)
        world.fail('P31', `nobody knows of the ${kind} of ${subject}`);
    }
  }
}

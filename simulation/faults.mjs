import { Actor, world } from './world/world.mjs';
import { network, STORE_PORT } from './world/network.mjs';

/** Longer than the lease of work that a process has taken. */
const STALL_MS = [1_000, 30_000];
const STEPS_BETWEEN = 1_200;
const OF_CALLERS = new Set(['kill', 'stall']);
/** What is under way for a few steps only is rarely met by chance. */
const AIMED_PART = 0.25;
const AIMED_PART_OF_WRITES = 0.02;
/** First word of a command of the store that is a write, and where it stands in its bytes. */
const WRITES = /^(?:update|insert|findAndModify)/;
const COMMAND_AT = 26;
const AIMED_STEPS = 15;
const JUMPS_MS = [-300_000, -5_000, 2_000, 90_000, 3_600_000];

/** Disturbs a run between any two steps. */
export class Faults {
  isOver = false;
  /** How far the clock is ahead after its jumps, and has been at most. */
  aheadMs = 0;
  mostAheadMs = 0;

  constructor({ processes, store, peers, workload }) {
    Object.assign(this, { processes, store, peers, workload });
    this.dice = world.dice('faults');
    this.nature = new Actor('nature');
    this.at = world.steps + this.dice.below(STEPS_BETWEEN);
    peers.trouble = this.dice.of([0, 0.1, 0.4]);
    peers.onCall = (caller) => this.aim(caller);
    network.weather = (from, bytes) => this.fateOf(from, bytes);
    const all = ['kill', 'stall', 'cut', 'loseAnswers', 'killStore', 'slow', 'jump', 'outage'];
    // Few kinds at once show more than all of them.
    this.kinds = all.filter(() => this.dice.chance(0.5));
  }

  /** Called between two steps. */
  look() {
    if (this.isOver || world.steps < this.at) return;
    this.at = world.steps + 1 + this.dice.below(STEPS_BETWEEN);
    if (this.kinds.length === 0) return;
    world.actor = this.nature;
    const isAimed = this.caller !== undefined && this.dice.chance(0.5);
    const kinds = isAimed ? this.kinds.filter((kind) => OF_CALLERS.has(kind)) : [];
    this[this.dice.of(kinds.length > 0 ? kinds : this.kinds)]();
    this.caller = undefined;
  }

  /** Some faults come right after the call of a provider or a write, and often it is the caller that dies or stands still. */
  aim(caller, part = AIMED_PART) {
    if (!this.dice.chance(part)) return;
    this.at = Math.min(this.at, world.steps + this.dice.below(AIMED_STEPS));
    this.caller = this.processes.find(({ actor }) => actor === caller);
  }

  later(least, most, label, act) {
    world.after(this.dice.between(least, most), this.nature, label, act);
  }

  kill() {
    const herald = this.caller ?? this.dice.of(this.processes);
    if (!herald.isAlive) return;
    world.tell(`kills ${herald.actor.name}`);
    herald.die();
    this.later(0, 20_000, 'restart', () => this.restart(herald));
  }

  restart(herald) {
    if (herald.isAlive) return;
    world.tell(`starts ${herald.name} again`);
    const start = herald.start();
    const { actor } = herald;
    start.catch(() => {
      // As an orchestrator does, where the store is not there.
      if (!actor.isAlive) return;
      world.tell(`${actor.name} could not start`);
      herald.die();
      this.later(1_000, 5_000, 'restart', () => this.restart(herald));
    });
  }

  stall() {
    const { actor } = this.dice.of([...(this.caller ? [this.caller] : this.processes), this.store]);
    const ms = this.dice.between(...STALL_MS);
    world.tell(`${actor.name} stands still for ${ms} ms`);
    actor.stalledUntil = world.now() + ms;
  }

  cut() {
    const links = [...network.links];
    if (links.length === 0) return;
    const link = this.dice.of(links);
    world.tell(`cuts the connection of ${link.actor.name} to ${link.peer?.actor.name}`);
    network.cut(link);
  }

  /** What is sent to the client of a connection does not arrive, and then it is cut. */
  loseAnswers() {
    const links = [...network.links].filter(({ peer }) => peer !== undefined);
    if (links.length === 0) return;
    const link = this.dice.of(links);
    world.tell(`loses what ${link.peer.actor.name} answers to ${link.actor.name}`);
    link.peer.isMuted = true;
    this.later(50, 12_000, 'cut', () => network.cut(link));
  }

  killStore() {
    if (!this.store.isAlive) return;
    world.tell('kills the store');
    this.store.die();
    this.later(0, 8_000, 'restart', () => {
      world.tell('starts the store again');
      void this.store.start();
    });
  }

  slow() {
    this.slowUntil = world.now() + this.dice.between(1_000, 10_000);
    this.slowMs = this.dice.of([20, 200, 2_000]);
    world.tell(`the network is up to ${this.slowMs} ms slower for a while`);
  }

  jump(ms = this.dice.of(JUMPS_MS)) {
    this.aheadMs += ms;
    this.mostAheadMs = Math.max(this.mostAheadMs, this.aheadMs);
    world.tell(`the clock jumps by ${ms} ms`);
    world.clock.setSystemTime(Date.now() + ms);
    this.workload.clockJumped(ms);
  }

  /** Longer than all attempts at a message take. */
  outage() {
    if (this.peers.down !== undefined) return;
    this.peers.down = this.dice.of(['text', 'push', 'chat', 'step']);
    world.tell(`the ${this.peers.down} provider is down`);
    this.later(20_000, 90_000, 'up again', () => (this.peers.down = undefined));
  }

  fateOf(from, bytes) {
    if (this.isOver) return undefined;
    if (from.remotePort === STORE_PORT && WRITES.test(bytes?.latin1Slice(COMMAND_AT, COMMAND_AT + 13)))
      this.aim(from.actor, AIMED_PART_OF_WRITES);
    if (from.isMuted) return 'drop';
    return this.slowUntil > world.now() ? this.dice.below(this.slowMs) : undefined;
  }

  /** Nothing goes wrong from now on. */
  end() {
    this.isOver = true;
    this.peers.trouble = 0;
    this.peers.down = undefined;
    // What waits for a time that the clock has shown before need not wait for it again.
    if (this.aheadMs < this.mostAheadMs) this.jump(this.mostAheadMs - this.aheadMs);
    world.tell('nothing goes wrong from now on');
    for (const herald of this.processes) if (!herald.isAlive) this.later(0, 0, 'restart', () => this.restart(herald));
  }
}

import { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import fs from 'node:fs';
import os from 'node:os';
import perfHooks from 'node:perf_hooks';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import fakeTimers from '@sinonjs/fake-timers';
import { Dice, replaceRandomNumbers } from './random.mjs';

const realImmediate = globalThis.setImmediate;
const realTurn = () => new Promise((resolve) => realImmediate(resolve));
const BEGINNINGS = ['setTimeout', 'setInterval', 'setImmediate'];
const ENDS = ['clearTimeout', 'clearInterval', 'clearImmediate'];
/** What the driver looks at to tell the store where it runs. */
const PLATFORMS = /^(?:KUBERNETES_|AWS_|FUNCTIONS_|K_SERVICE|FUNCTION_|VERCEL)/;
/** What Node has under way by itself: its end takes no simulated time. */
const OUTSIDE = /^(?:FSReq|GetAddrInfo|Zlib)|(?:Job|Request)$/;

const MOST_STEPS = 400_000;

/** A run does not come to its end. */
export class RunStuck extends Error {}

/** A process of the run, or a peer: what acts, and can die. */
export class Actor {
  isAlive = true;
  /** While it stands still, its steps wait. */
  stalledUntil = 0;

  constructor(name) {
    this.name = name;
    world.actors.add(this);
  }

  die() {
    this.isAlive = false;
    world.actors.delete(this);
  }
}

/**
 * Time, chance and the order of everything. All that happens is a step: a timer fires, or bytes arrive. Between two of them, promises and
 * ticks run to their end, so that nothing but the seed decides what comes next.
 */
class World {
  actors = new Set();
  /** Of which what runs now is a part. */
  actor;
  steps = 0;
  failures = [];
  /** Timers that were due while their actor stood still, and what stands for them. */
  deferred = new Map();

  install() {
    this.reseed = replaceRandomNumbers();
    this.clock = fakeTimers.install({
      now: Date.UTC(2026, 0, 15, 9),
      toFake: ['Date', ...BEGINNINGS, ...ENDS, 'performance', 'hrtime'],
      loopLimit: Number.MAX_SAFE_INTEGER,
    });
    // Mongoose knows types by their names.
    Object.defineProperty(Date, 'name', { value: 'Date' });
    for (const name of BEGINNINGS) this.replace(name, globalThis[name]);
    for (const name of ENDS) this.replaceEnd(name, globalThis[name]);
    timersPromises.setTimeout = (ms, value, options) =>
      this.pause((done) => setTimeout(done, ms), clearTimeout, value, options);
    timersPromises.setImmediate = (value, options) =>
      this.pause((done) => setImmediate(done), clearImmediate, value, options);
    perfHooks.performance.now = () => globalThis.performance.now();
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      const reason = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
      setTimeout(() => controller.abort(reason()), ms).unref();
      return controller.signal;
    };
    process.env.TZ = 'UTC';
    syncBuiltinESMExports();
  }

  /** Handshakes and greetings name the machine. Packages with native code have looked at it before. */
  hideMachine() {
    Object.defineProperty(process, 'version', { value: 'v20.19.0' });
    for (const name of Object.keys(process.env)) if (PLATFORMS.test(name)) delete process.env[name];
    const { access } = fs.promises;
    fs.promises.access = (path, ...rest) =>
      path === '/.dockerenv' ? Promise.reject(new Error('There are no containers here.')) : access(path, ...rest);
    for (const name of ['hostname', 'release', 'arch', 'type', 'version', 'machine']) os[name] = () => 'simulated';
    syncBuiltinESMExports();
  }

  /** What libraries keep in the process: the next number of an ObjectId, and random bytes of nanoid that are left. */
  forget = () => undefined;

  /** Begins a run: nothing of an earlier one is left. */
  begin(seed) {
    for (const actor of this.actors) actor.die();
    this.deferred.clear();
    this.clock.reset();
    this.clock.setSystemTime(Date.UTC(2026, 0, 15, 9));
    this.reseed(seed);
    this.forget();
    this.seed = seed;
    this.base = this.clock.performance.now();
    this.steps = 0;
    this.hash = createHash('sha256');
    this.failures = [];
    this.actor = new Actor('world');
  }

  dice(part) {
    return new Dice(this.seed, part);
  }

  replace(name, fake) {
    const world = this;
    const later = this.clock.setTimeout;
    globalThis[name] = timers[name] = function (callback, ...rest) {
      const { actor } = world;
      const label = callback.name || 'callback';
      const fire = (...args) => {
        if (!actor.isAlive) return name === 'setInterval' ? clearInterval(timer) : undefined;
        const leftMs = actor.stalledUntil - world.now();
        if (leftMs > 0) {
          // It may stand still again by then, and an interval comes again meanwhile.
          const again = () => {
            world.deferred.delete(timer);
            fire(...args);
          };
          if (!world.deferred.has(timer)) world.deferred.set(timer, later(again, leftMs));
          return undefined;
        }
        world.deferred.delete(timer);
        world.enter(actor, name, label);
        return callback(...args);
      };
      const timer = fake(fire, ...rest);
      return timer;
    };
  }

  /** What is due while its actor stands still can be called off before it happens. */
  replaceEnd(name, fake) {
    globalThis[name] = timers[name] = (timer) => {
      const deferred = this.deferred.get(timer);
      if (deferred !== undefined) fake(deferred);
      return fake(timer);
    };
  }

  pause(begin, end, value, { signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError(signal));
      const timer = begin(() => {
        signal?.removeEventListener('abort', stop);
        resolve(value);
      });
      const stop = () => {
        end(timer);
        reject(abortError(signal));
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Milliseconds since the run began; a clock that jumps does not change them. */
  now() {
    return this.clock.performance.now() - this.base;
  }

  enter(actor, kind, label) {
    this.actor = actor;
    this.steps += 1;
    this.note(kind, label);
  }

  /** What happened goes into the hash of the run. */
  note(kind, label, details = '') {
    this.hash.update(`${Math.round(this.now())} ${this.actor.name} ${kind} ${label} ${details}`);
  }

  /** Something for people to read. */
  tell(sentence) {
    this.note('tell', '', sentence);
    this.onStory?.({ atMs: Math.round(this.now()), step: this.steps, who: this.actor.name, what: sentence });
  }

  /** A step of an actor, some time from now. */
  after(ms, actor, label, act) {
    const before = this.actor;
    this.actor = actor;
    const step = Object.defineProperty(() => act(), 'name', { value: label });
    setTimeout(step, ms);
    this.actor = before;
  }

  /** @returns what `work` gives, which an actor begins as a step of its own */
  as(actor, label, work) {
    return new Promise((resolve, reject) => {
      this.after(0, actor, label, () => void Promise.resolve().then(work).then(resolve, reject));
    });
  }

  /** Promises and ticks run to their end; what Node does outside is awaited. */
  async settle() {
    await realTurn();
    if (this.isPatient) for (let turns = 4; turns > 0; turns -= 1) await realTurn();
    while (process.getActiveResourcesInfo().some((name) => OUTSIDE.test(name))) await realTurn();
  }

  /** Carries out step by step until a promise has its end, or nothing is left. */
  async until(promise, limitMs = 3_600_000) {
    let end;
    promise.then(
      (value) => (end = { value }),
      (error) => (end = { error }),
    );
    const limit = this.now() + limitMs;
    for (;;) {
      await this.settle();
      if (end !== undefined) break;
      if (this.now() > limit) throw new RunStuck('It takes too long.');
      if (this.steps > MOST_STEPS) throw new RunStuck('It takes too many steps.');
      if (this.clock.countTimers() === 0) throw new RunStuck('Nothing is left that could happen.');
      this.look?.();
      this.clock.next();
    }
    if ('error' in end) throw end.error;
    return end.value;
  }

  /** A promise that Herald has not kept, or what must never happen. */
  fail(promise, what) {
    this.failures.push({ promise, what, atMs: Math.round(this.now()), step: this.steps });
    this.tell(`BROKEN ${promise}: ${what}`);
  }

  digest() {
    return this.hash.copy().digest('hex').slice(0, 16);
  }
}

function abortError(signal) {
  const error = new Error('The operation was aborted', { cause: signal.reason });
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
}

export const world = new World();

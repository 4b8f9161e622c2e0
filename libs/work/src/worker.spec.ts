import { jest } from '@jest/globals';
import { type Clock, ManualClock } from '#libs/common';
import { Background } from './background.js';
import { InFlight } from './in-flight.js';
import { Worker } from './worker.js';

const LEASE_MS = 9_000;

/** Work that becomes due at given times. */
class FakeSource {
  readonly done: number[] = [];
  readonly renewed: number[] = [];
  readonly settled: number[] = [];
  onClaim: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    public due: number[] = [],
  ) {}

  claim(): Promise<number> {
    this.onClaim();
    const now = this.clock.now().getTime();
    const ready = this.due.filter((at) => at <= now);
    this.due = this.due.filter((at) => at > now);
    this.done.push(...ready);
    return Promise.resolve(ready.length);
  }

  nextWakeAt(): Promise<Date | undefined> {
    return Promise.resolve(this.due.length === 0 ? undefined : new Date(Math.min(...this.due)));
  }

  renew(olderThanMs: number): Promise<void> {
    this.renewed.push(olderThanMs);
    return Promise.resolve();
  }

  settle(withinMs: number): Promise<void> {
    this.settled.push(withinMs);
    return Promise.resolve();
  }
}

describe('Worker', () => {
  const errors: unknown[] = [];
  const background = new Background((error) => errors.push(error));
  const newWorker = (clock: Clock, ...sources: FakeSource[]): Worker =>
    new Worker({ sources, background, clock, leaseMs: LEASE_MS, pollMs: 60_000 });

  beforeEach(() => {
    errors.length = 0;
  });

  describe('drain', () => {
    it('should do what is due now', async () => {
      const clock = new ManualClock(new Date(1_000));
      const [events, runs] = [new FakeSource(clock, [500, 5_000]), new FakeSource(clock, [1_000])];
      await newWorker(clock, events, runs).drain();
      expect([events.done, runs.done]).toEqual([[500], [1_000]]);
    });

    it('should move the clock to each moment at which something is due, and to the end', async () => {
      const clock = new ManualClock(new Date(0));
      const [events, runs] = [new FakeSource(clock, [10, 30, 99]), new FakeSource(clock, [20])];
      await newWorker(clock, events, runs).drain(new Date(50));
      expect([events.done, runs.done]).toEqual([[10, 30], [20]]);
      expect(clock.now()).toEqual(new Date(50));
    });

    it('should wait for work that its claims have started', async () => {
      const clock = new ManualClock(new Date(0));
      const source = new FakeSource(clock, [0]);
      let isDone = false;
      source.onClaim = () => {
        source.onClaim = () => undefined;
        background.start(async () => {
          await new Promise((resolve) => setImmediate(resolve));
          isDone = true;
        });
      };
      await newWorker(clock, source).drain();
      expect(isDone).toBe(true);
    });

    it('should not move the clock of the machine', async () => {
      const clock: Clock = { now: () => new Date() };
      const later = Date.now() + 60_000;
      const worker = newWorker(clock, new FakeSource(clock, [later]));
      await expect(worker.drain(new Date(later))).rejects.toThrow('ManualClock');
    });
  });

  it('should renew leases of which a third was over before two thirds are', () => {
    jest.useFakeTimers();
    try {
      const clock = new ManualClock();
      for (const leaseMs of [2_000, LEASE_MS, 60_000]) {
        const inFlight = new InFlight<object>(() => performance.now());
        const source = new FakeSource(clock);
        let renewedAt = 0;
        source.renew = (olderThanMs) => {
          if (inFlight.olderThan(olderThanMs).length > 0) renewedAt ||= performance.now();
          return Promise.resolve();
        };
        const worker = new Worker({ sources: [source], background, clock, leaseMs, pollMs: 60_000 });
        worker.start();
        // Right after a tick.
        jest.advanceTimersByTime(leaseMs + 1);
        const begun = performance.now();
        inFlight.add({});
        jest.advanceTimersByTime(leaseMs);
        expect(renewedAt).toBeGreaterThan(begun);
        expect(renewedAt - begun).toBeLessThanOrEqual(leaseMs / 3 + 1);
        worker.close();
      }
    } finally {
      jest.useRealTimers();
    }
  });

  it('should renew the leases of everything in flight before a claim after it stood still', async () => {
    const clock = new ManualClock(new Date(1_000_000));
    const source = new FakeSource(clock);
    const worker = newWorker(clock, source);
    await worker.drain();
    expect(source.renewed).toEqual([0]);
    clock.advance(LEASE_MS / 2 + 1);
    await worker.drain();
    expect(source.renewed).toEqual([0, 0]);
  });

  it('should claim while it runs, when it is woken, and no more after it was stopped', async () => {
    const clock = new ManualClock(new Date(0));
    const source = new FakeSource(clock, [0]);
    const worker = newWorker(clock, source);
    const claimed = (): Promise<void> => new Promise((resolve) => (source.onClaim = resolve));
    worker.wake();
    expect(source.done).toEqual([]);
    const first = claimed();
    worker.start();
    await first;
    expect(worker.isRunning).toBe(true);
    await worker.drain();
    source.due = [0];
    const second = claimed();
    worker.wake();
    await second;
    const stopped = worker.stop();
    expect(worker.isRunning).toBe(false);
    await stopped;
    expect(source.done).toEqual([0, 0]);
    expect(source.settled).toHaveLength(1);
    source.due = [0];
    worker.wake();
    await worker.stop();
    expect(source.done).toEqual([0, 0]);
    expect(source.settled).toHaveLength(1);
  });

  it.each([
    ['eight seconds', undefined, 8_000],
    ['eight seconds', 1_000, 8_000],
    ['as long as one piece may take, and until it is recorded,', 15_000, 17_000],
  ])('should wait %s for work in flight when it is stopped', async (_time, workMs, withinMs) => {
    const clock = new ManualClock(new Date(0));
    const source = new FakeSource(clock);
    const options = { sources: [source], background, clock, leaseMs: LEASE_MS, pollMs: 60_000 };
    const worker = new Worker({ ...options, ...(workMs !== undefined && { workMs }) });
    worker.start();
    await worker.stop();
    expect(source.settled).toEqual([withinMs]);
  });

  it('should report a failed look and keep running', async () => {
    const clock = new ManualClock(new Date(0));
    const source = new FakeSource(clock, [0]);
    const worker = newWorker(clock, source);
    const failed = new Promise<void>((resolve) => {
      source.onClaim = () => {
        source.onClaim = () => undefined;
        resolve();
        throw new Error('the store is unavailable');
      };
    });
    worker.start();
    await failed;
    await worker.drain();
    expect(source.done).toEqual([0]);
    await worker.stop();
    expect(errors).toEqual([new Error('the store is unavailable')]);
  });
});

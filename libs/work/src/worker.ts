import { type Clock, ManualClock } from '#libs/common';
import type { Background } from './background.js';
import type { ClaimedWork } from './claimed-work.js';
import { WorkLoop } from './work-loop.js';

type WorkSource = Pick<ClaimedWork<never>, 'claim' | 'nextWakeAt' | 'renew' | 'settle'> &
  Partial<Pick<ClaimedWork<never>, 'whenTried'>>;

export interface WorkerOptions {
  readonly sources: readonly WorkSource[];
  readonly background: Background;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly pollMs: number;
  /** How long one piece of work may take; at shutdown, those in flight have that time. */
  readonly workMs?: number;
}

/** What becomes due, for those who move the time. */
export type DueWork = Pick<Worker, 'runDue' | 'nextWakeAt'>;

/** Time for the work in flight at shutdown, at least. */
const SHUTDOWN_MS = 8_000;
/** For what follows a piece of work that took all of its time: its outcome is recorded. */
const RECORDING_MS = 2_000;
const RENEWAL_MS = 1_000;

/** Claims due records while it runs, extends their leases, and releases them at the end. */
export class Worker {
  private readonly loop: WorkLoop;
  private renewal: NodeJS.Timeout | undefined;
  private renewedAt = 0;
  private isOn = false;
  private ended: Promise<void> = Promise.resolve();

  constructor(private readonly options: WorkerOptions) {
    const { pollMs, clock, background } = options;
    this.loop = new WorkLoop({
      turn: () => this.claim(),
      nextAt: () => this.nextWakeAt(),
      pollMs,
      now: () => clock.now(),
      onError: background.onError,
    });
    for (const source of options.sources) source.whenTried?.(() => this.loop.wake());
  }

  get isRunning(): boolean {
    return this.isOn;
  }

  start(): void {
    if (this.isOn) return;
    this.isOn = true;
    const { leaseMs, background } = this.options;
    // Work may begin under a lease of which a third is over (`Leases`). It is renewed before two thirds are: the rest is for a busy store.
    // The leases of suspects are shorter.
    const sixthMs = leaseMs / 6;
    this.renewal = setInterval(
      () => {
        this.renew(sixthMs).catch(background.onError);
      },
      Math.min(sixthMs, RENEWAL_MS),
    );
    this.renewal.unref();
    this.loop.start();
  }

  /** Looks for work now. */
  wake(): void {
    this.loop.wake();
  }

  /**
   * Claims no more; the time that the work in flight has begins. Called in `onModuleDestroy`, which comes before any worker is waited for:
   * `beforeApplicationShutdown` waits for one module after the other.
   */
  close(): void {
    if (!this.isOn) return;
    this.isOn = false;
    this.ended = this.end();
    // Those who stop it are told.
    this.ended.catch(() => undefined);
  }

  /** As `close`, and waits for the work in flight. What does not end in time is released. */
  async stop(): Promise<void> {
    this.close();
    await this.ended;
  }

  private async end(): Promise<void> {
    await this.loop.stop();
    const withinMs = Math.max(SHUTDOWN_MS, (this.options.workMs ?? 0) + RECORDING_MS);
    await Promise.all(this.options.sources.map((source) => source.settle(withinMs)));
    clearInterval(this.renewal);
  }

  /**
   * For tests: works until nothing is due, instead of waiting for it.
   * @param until with a `ManualClock`: moves the clock to each moment at which something is due, up to this one
   */
  async drain(until?: Date): Promise<void> {
    const { clock } = this.options;
    for (;;) {
      await this.runDue();
      const next = await this.nextWakeAt();
      if (next === undefined || until === undefined || next > until) break;
      if (!(clock instanceof ManualClock)) throw new Error('Only a ManualClock can be moved.');
      clock.moveTo(next);
    }
    if (until !== undefined && clock instanceof ManualClock) clock.moveTo(until);
  }

  /**
   * Works until nothing is due now. The loop may be claiming at the same time, so one search without a result is not enough.
   * @returns how many records it claimed
   */
  async runDue(): Promise<number> {
    let claimed = 0;
    for (let looks = 0; looks < 2; looks += 1) {
      await this.options.background.settle();
      const count = await this.claim();
      claimed += count;
      if (count > 0) looks = -1;
    }
    return claimed;
  }

  private async claim(): Promise<number> {
    // A process that was suspended must not claim records that it is still working on.
    const mayBeLostAfterMs = Math.min(this.options.leaseMs / 2, 1.5 * RENEWAL_MS);
    if (this.options.clock.now().getTime() - this.renewedAt > mayBeLostAfterMs) await this.renew(0);
    const claims = Promise.all(this.options.sources.map((source) => source.claim()));
    const counts = await this.options.background.track(claims);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** When the next work is due. Ends of leases count, because their holder may be dead. */
  async nextWakeAt(): Promise<Date | undefined> {
    const times = await Promise.all(this.options.sources.map((source) => source.nextWakeAt()));
    return times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
  }

  private async renew(olderThanMs: number): Promise<void> {
    this.renewedAt = this.options.clock.now().getTime();
    await Promise.all(this.options.sources.map((source) => source.renew(olderThanMs)));
  }
}

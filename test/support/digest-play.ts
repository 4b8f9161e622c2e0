import type { mongo } from 'mongoose';
import type { NotificationRecord } from '../../src/engine/delivery/records/notification.js';
import type { TriggerEventRecord } from '../../src/engine/delivery/records/trigger-event.js';
import type { WeeklySchedule } from '#libs/schedule';
import type { BudgetRule } from '../../src/content/budgets/index.js';
import { DigestWorker, DigestWorld, LEASE_MS, type StepKind, THROTTLE_MS, WINDOW_MS } from './digest-world.js';
import type { StoreCalls } from './memory-collection.js';
import { Schedule, seeded } from './schedules.js';

export type Notifications = mongo.Collection<NotificationRecord>;

/** A store for one schedule. */
export interface SharedStore {
  forWorker(calls: StoreCalls): Notifications;
  throttlesFor?(calls: StoreCalls): object;
  budgetsFor?(calls: StoreCalls): object;
  signalsFor?(calls: StoreCalls): object;
  rows(): Promise<NotificationRecord[]>;
}

const WORKERS = 3;
export const EVENTS = 5;
const OPEN: WeeklySchedule = { isEnabled: false };
/** The world begins on a Thursday. */
const CLOSED: WeeklySchedule = { isEnabled: true, weeklySchedule: { tuesday: { isEnabled: true } } };
const LONG_LEASE_MS = 600_000;
export type Workflows = readonly (readonly StepKind[])[];

export interface Choice {
  readonly workflows: Workflows;
  /** Values that the key of a digest can have each time it is read. */
  readonly slots?: number;
  /** No worker dies, stands still or loses a lease. */
  readonly isCalm?: boolean;
  readonly events?: number;
  readonly neverCanceled?: boolean;
  /** How far time goes on at most. */
  readonly windowMs?: number;
  readonly threshold?: number;
  /** Of the subscriber, over the last minute. With `edits`, somebody removes it and brings it back meanwhile. */
  readonly budget?: { readonly over: 'drop' | 'hold'; readonly edits?: true };
  /** Signals are sent; called when one was acknowledged. */
  readonly onSignal?: (n: number, woken: number, at: Date) => void;
  /** The subscriber has a schedule and changes it. */
  readonly hasSchedule?: boolean;
}

/** Carries out one schedule: events, claims, cancellations, workers that stand still and workers that die. */
export class Play {
  readonly world: DigestWorld;
  private readonly random: () => number;
  private readonly schedule: Schedule;
  private readonly workers = new Map<number, DigestWorker>();
  private readonly events: number;
  private readonly windowMs: number;
  private nextWorker = 0;
  private nextEvent = 0;
  /** Events whose expansion nobody has ended yet. */
  private readonly open = new Set<TriggerEventRecord>();
  private readonly expanded: TriggerEventRecord[] = [];
  /** Events that may have been called off: `asked` while nobody has heard the end of it. */
  readonly calledOff = new Map<number, 'asked' | 'late' | 'done'>();
  openedAt: Date | undefined;
  /** From then on, time goes on only to what is due next. */
  settledAt: Date | undefined;

  constructor(
    seed: number,
    private readonly store: SharedStore,
    private readonly choice: Choice,
  ) {
    const { workflows, slots = 1, isCalm = false, events = EVENTS, threshold = 1 } = choice;
    this.events = events;
    this.windowMs = choice.windowMs ?? WINDOW_MS;
    this.random = seeded(seed);
    this.schedule = new Schedule(this.random);
    this.world = new DigestWorld(
      workflows[seed % workflows.length] ?? [],
      slots,
      isCalm ? LONG_LEASE_MS : LEASE_MS,
      threshold,
    );
    if (choice.hasSchedule === true) this.world.weekly = CLOSED;
    if (choice.budget) this.world.budgets = this.budgets();
    for (let n = 0; n < WORKERS; n += 1) this.hire();
  }

  async run(): Promise<void> {
    while (this.nextEvent < this.events || this.random() < 0.97) {
      if (this.random() < 0.8 && (await this.schedule.step())) continue;
      this.world.looks.now();
      this.act();
    }
    if (this.choice.hasSchedule === true) await this.openAtLast();
    await this.settle();
    if (this.world.errors.length > 0) throw new AggregateError(this.world.errors, String(this.world.errors[0]));
  }

  private act(): void {
    const dice = this.random();
    if (dice < 0.2) this.arrive();
    else if (dice < 0.5) this.inHand(this.someone().claim());
    else if (dice < 0.6 && this.choice.neverCanceled === true && this.choice.onSignal !== undefined)
      this.signal(this.choice.onSignal);
    else if (dice < 0.6) this.callOff();
    else if (dice < 0.66 && this.choice.hasSchedule === true) this.edit();
    else if (dice < 0.64 && this.choice.budget?.edits === true) this.editBudgets();
    else if (dice < 0.66 && this.choice.onSignal !== undefined) this.signal(this.choice.onSignal);
    else if (this.choice.isCalm === true) this.world.clock.advance(Math.floor(this.random() * this.windowMs));
    else if (dice < 0.72) this.world.clock.advance(Math.floor(this.random() * LEASE_MS));
    else if (dice < 0.8) this.world.clock.advance(this.random() < 0.5 ? LEASE_MS : this.windowMs);
    else if (dice < 0.87) this.schedule.stalled.add(this.someId());
    else if (dice < 0.93) this.wakeOne();
    else if (dice < 0.97) this.inHand(this.someone().renew());
    else this.replace();
  }

  private arrive(): void {
    if (this.nextEvent >= this.events) return;
    const event = this.world.newEvent(this.nextEvent++);
    this.world.clock.advance(1);
    this.open.add(event);
    this.expand(event);
  }

  private expand(event: TriggerEventRecord): void {
    this.inHand(
      this.someone()
        .begin(event)
        .then(() => {
          if (this.open.delete(event)) this.expanded.push(event);
        }),
    );
  }

  private callOff(): void {
    const event = this.expanded[Math.floor(this.random() * this.expanded.length)];
    if (event === undefined || this.choice.neverCanceled === true) return;
    const n = event.payload['n'] as number;
    if (this.calledOff.has(n)) return;
    this.calledOff.set(n, 'asked');
    this.inHand(
      this.someone()
        .cancel(event)
        .then((isCanceled) => {
          this.calledOff.set(n, isCanceled ? 'done' : 'late');
        }),
    );
  }

  private edit(): void {
    this.inHand(this.someone().edit(this.random() < 0.5 ? OPEN : CLOSED));
  }

  private budgets(): BudgetRule[] {
    const { budget, threshold: max = 1 } = this.choice;
    const over = budget?.over === 'hold' ? { digestWorkflow: 'digest' } : {};
    return [{ id: 'b', name: 'b', channels: ['email', 'push'], max, rollingMs: THROTTLE_MS, ...over }];
  }

  private editBudgets(): void {
    this.inHand(this.someone().editBudgets(this.random() < 0.5 ? [] : this.budgets()));
  }

  /** Also of an event that is being expanded, and of one whose wait is over. */
  private signal(onSignal: NonNullable<Choice['onSignal']>): void {
    if (this.nextEvent === 0) return;
    const n = Math.floor(this.random() * this.nextEvent);
    this.inHand(
      this.someone()
        .signal(`t${n}`)
        .then((woken) => onSignal(n, woken, this.world.clock.now())),
    );
  }

  /** The last change of the schedule, which is acknowledged while others work: everything goes from then on. */
  private async openAtLast(): Promise<void> {
    for (let more = 0; more < WORKERS; more += 1) {
      this.inHand(this.someone().claim());
      for (let step = this.schedule.pick(30); step > 0; step -= 1) await this.schedule.step();
    }
    let isDone = false;
    this.hire();
    this.inHand(
      this.workerAt(this.nextWorker - 1)
        .edit(OPEN)
        .then(() => (isDone = true)),
    );
    while (!isDone) await this.schedule.step();
    this.openedAt = this.world.clock.now();
  }

  private wakeOne(): void {
    const [worker] = this.schedule.stalled;
    if (worker !== undefined) this.schedule.stalled.delete(worker);
  }

  private replace(): void {
    const id = this.someId();
    this.schedule.kill(id);
    this.workers.delete(id);
    this.hire();
  }

  private hire(): void {
    const id = this.nextWorker++;
    const calls: StoreCalls = {
      yields: () => this.schedule.point(id),
      call: (work) => this.schedule.call(work),
    };
    const throttles = this.store.throttlesFor?.(calls);
    const budgets = this.store.budgetsFor?.(calls);
    const signals = this.store.signalsFor?.(calls);
    const others = { ...(throttles && { throttles }), ...(budgets && { budgets }), ...(signals && { signals }) };
    this.workers.set(id, new DigestWorker(this.world, this.store.forWorker(calls), this.schedule, id, others));
  }

  private someId(): number {
    const ids = [...this.workers.keys()];
    return ids[Math.floor(this.random() * ids.length)] ?? 0;
  }

  private someone(): DigestWorker {
    return this.workerAt(this.someId());
  }

  private workerAt(id: number): DigestWorker {
    const worker = this.workers.get(id);
    if (worker === undefined) throw new Error('Nobody works.');
    return worker;
  }

  private inHand(work: Promise<unknown>): void {
    work.catch(this.world.onError);
  }

  /** Nobody stands still or dies any more: everything comes to its end. */
  private async settle(): Promise<void> {
    this.schedule.stalled.clear();
    this.settledAt = this.world.clock.now();
    for (let round = 0; round < 400; round += 1) {
      while (await this.schedule.step());
      this.world.looks.now();
      while (await this.schedule.step());
      for (const event of this.open) this.expand(event);
      while (await this.schedule.step());
      const times = (await this.store.rows()).flatMap(({ wakeAt }) => wakeAt ?? []);
      if (times.length === 0 && this.open.size === 0 && !this.world.looks.isAwaited) return;
      if (times.length > 0) this.world.clock.moveTo(new Date(Math.min(...times.map((time) => time.getTime()))));
      this.inHand(this.someone().claim());
    }
    throw new Error('It does not come to an end.');
  }
}

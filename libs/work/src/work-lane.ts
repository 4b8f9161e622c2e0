import { FairQueue } from '#libs/worker-pool';
import { type Capacity, FairSlots } from './fair-slots.js';

export interface WorkLaneLimits {
  /** Pieces of work that run at a time. */
  readonly concurrency: number;
  readonly concurrencyPerGroup: number;
  /** How many times as many are held: claimed, and running or waiting here for their turn. */
  readonly holdFactor: number;
}

/** `closed`: the lane was closed before the work could begin. */
export type Turn = 'at_once' | 'after_waiting' | 'closed';

/**
 * One kind of work in this process. It holds more than it runs, so that the next piece begins at once instead of after
 * a claim, which takes several calls of the store. Groups share both limits fairly.
 */
export class WorkLane implements Capacity {
  private readonly held: FairSlots;
  private readonly running: FairSlots;
  private readonly waiting = new FairQueue<(turn: Turn) => void>();
  /** Free slots of a group with which a claim for it is worth its cost. */
  private readonly worthClaiming: number;
  private isClosed = false;

  constructor({ concurrency, concurrencyPerGroup, holdFactor }: WorkLaneLimits) {
    this.held = new FairSlots(concurrency * holdFactor, concurrencyPerGroup * holdFactor);
    this.running = new FairSlots(concurrency, concurrencyPerGroup);
    this.worthClaiming = holdFactor === 1 ? 1 : Math.ceil((concurrencyPerGroup * holdFactor) / 2);
  }

  get free(): number {
    return this.isClosed ? 0 : this.held.free;
  }

  /** None while the group holds more than half of its share: it has enough to do, and the next claim brings more at once. */
  freeFor(group: string): number {
    return this.isClosed || this.held.shareLeft(group) < this.worthClaiming ? 0 : this.held.freeFor(group);
  }

  tryTake(group: string): boolean {
    return !this.isClosed && this.held.tryTake(group);
  }

  /** Holds work that a claim has counted on. */
  take(group: string): void {
    this.held.take(group);
  }

  /** @returns whether a claim for the group has become worth its cost */
  release(group: string): boolean {
    const before = this.held.freeFor(group);
    this.held.release(group);
    return before < this.worthClaiming && this.held.freeFor(group) >= this.worthClaiming;
  }

  /** Waits until held work may run. Unless the lane was closed, `leave` has to follow. */
  enter(group: string): Promise<Turn> {
    if (this.isClosed) return Promise.resolve('closed');
    if (this.running.tryTake(group)) return Promise.resolve('at_once');
    return new Promise((enter) => this.waiting.push(group, enter));
  }

  leave(group: string): void {
    this.running.release(group);
    const next = this.waiting.shift((other) => this.running.freeFor(other) > 0);
    if (next === undefined) return;
    this.running.take(next.group);
    next.item('after_waiting');
  }

  /** Holds nothing more, and lets nothing begin that waits. */
  close(): void {
    this.isClosed = true;
    for (let left = this.waiting.shift(() => true); left; left = this.waiting.shift(() => true)) {
      left.item('closed');
    }
  }

  open(): void {
    this.isClosed = false;
  }
}

import type { LaneRoom } from './pick-fair.js';

/** Counts what is at work in one lane, altogether and for each environment. */
export class LaneSlots implements LaneRoom {
  private taken = 0;
  private readonly byEnvironment = new Map<string, number>();

  /**
   * @param size most at once
   * @param perEnvironment most at once of one environment
   */
  constructor(
    readonly size: number,
    private readonly perEnvironment: number,
  ) {}

  get free(): number {
    return Math.max(0, this.size - this.taken);
  }

  get busy(): number {
    return this.taken;
  }

  freeFor(environmentId: string): number {
    return Math.min(this.free, this.perEnvironment - (this.byEnvironment.get(environmentId) ?? 0));
  }

  /** Takes a place if there is one. */
  tryTake(environmentId: string): boolean {
    if (this.freeFor(environmentId) <= 0) return false;
    this.take(environmentId);
    return true;
  }

  /** Takes a place that was promised by a claim. */
  take(environmentId: string): void {
    this.taken += 1;
    this.byEnvironment.set(environmentId, (this.byEnvironment.get(environmentId) ?? 0) + 1);
  }

  release(environmentId: string): void {
    this.taken -= 1;
    const left = (this.byEnvironment.get(environmentId) ?? 1) - 1;
    if (left > 0) this.byEnvironment.set(environmentId, left);
    else this.byEnvironment.delete(environmentId);
  }
}

import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { LANES, type Lane } from '../records/notification.record.js';
import { LaneSlots } from './lane-slots.js';

/** Runs of the store lane go in large batches, so this bounds memory rather than waiting calls. */
const STORE_PLACES = 2_000;

/** Places of a lane that one environment may take: half, so that the other half answers whoever else comes. */
export function placesOfOneEnvironment(config: AppConfig): number {
  return Math.max(1, Math.ceil(config.get('DELIVERY_CONCURRENCY') / 2));
}

/** The lanes of this process with their bounds, and who wants to know when a place becomes free. */
@Injectable()
export class LaneBoard {
  private readonly lanes: ReadonlyMap<Lane, LaneSlots>;
  private onFree: () => void = () => undefined;

  constructor(config: AppConfig) {
    const places = config.get('DELIVERY_CONCURRENCY');
    const share = placesOfOneEnvironment(config);
    this.lanes = new Map(
      LANES.map((lane) => [
        lane,
        lane === 'store' ? new LaneSlots(STORE_PLACES, STORE_PLACES / 2) : new LaneSlots(places, share),
      ]),
    );
  }

  /** The lanes as claims see them. */
  get rooms(): ReadonlyMap<string, LaneSlots> {
    return this.lanes;
  }

  get busy(): number {
    return [...this.lanes.values()].reduce((sum, slots) => sum + slots.busy, 0);
  }

  /** @param listener called whenever a place becomes free in a lane that was full */
  whenFree(listener: () => void): void {
    this.onFree = listener;
  }

  tryTake(lane: Lane, environmentId: string): boolean {
    return this.slots(lane).tryTake(environmentId);
  }

  take(lane: Lane, environmentId: string): void {
    this.slots(lane).take(environmentId);
  }

  release(lane: Lane, environmentId: string): void {
    const slots = this.slots(lane);
    const wasFull = slots.freeFor(environmentId) <= 0;
    slots.release(environmentId);
    if (wasFull) this.onFree();
  }

  private slots(lane: Lane): LaneSlots {
    const slots = this.lanes.get(lane);
    if (slots === undefined) throw new Error(`There is no lane '${lane}'.`);
    return slots;
  }
}

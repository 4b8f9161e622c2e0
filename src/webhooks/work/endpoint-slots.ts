import type { EndpointRoom } from './pick-by-endpoint.js';

/** Counts what is being sent, altogether and to each endpoint: a slow one fills only its own share. */
export class EndpointSlots implements EndpointRoom {
  private taken = 0;
  private readonly byEndpoint = new Map<string, number>();

  /**
   * @param size most at once
   * @param perEndpoint most at once to one endpoint
   */
  constructor(
    private readonly size: number,
    private readonly perEndpoint: number,
  ) {}

  get free(): number {
    return this.size - this.taken;
  }

  freeFor(endpointId: string): number {
    return Math.min(this.free, this.perEndpoint - (this.byEndpoint.get(endpointId) ?? 0));
  }

  take(endpointId: string): void {
    this.taken += 1;
    this.byEndpoint.set(endpointId, (this.byEndpoint.get(endpointId) ?? 0) + 1);
  }

  /** @returns whether somebody may have waited for this place */
  release(endpointId: string): boolean {
    const wasFull = this.freeFor(endpointId) <= 0;
    this.taken -= 1;
    const left = (this.byEndpoint.get(endpointId) ?? 1) - 1;
    if (left > 0) this.byEndpoint.set(endpointId, left);
    else this.byEndpoint.delete(endpointId);
    return wasFull;
  }
}

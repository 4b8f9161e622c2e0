import { Injectable } from '@nestjs/common';
import { Clock, ManualClock } from '#libs/common';
import { DeliveryWork } from './delivery-work.js';

/** For tests: does everything that is due, instead of waiting for it. */
@Injectable()
export class DeliveryDrain {
  constructor(
    private readonly work: DeliveryWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Works until nothing is due.
   * @param until with a clock that can be moved: goes on to each moment at which something is due, up to this one
   */
  async drain(until?: Date): Promise<void> {
    for (;;) {
      await this.settle();
      const next = await this.work.nextWakeAt();
      if (next === undefined || until === undefined || next > until) break;
      if (!(this.clock instanceof ManualClock)) throw new Error('Only a clock of tests can be moved.');
      this.clock.moveTo(next);
    }
    if (until !== undefined && this.clock instanceof ManualClock) this.clock.moveTo(until);
  }

  /** Works until nothing is due now. The process's own loop may be claiming beside, so it looks twice. */
  private async settle(): Promise<void> {
    for (let looks = 0; looks < 2; looks += 1) {
      await this.work.settle();
      if ((await this.work.claim()) > 0) looks = -1;
    }
  }
}

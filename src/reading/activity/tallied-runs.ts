import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { toObjectId } from '#libs/persistence';
import { startOf } from './hour-counter.js';
import { HOUR_MS } from './tally.schema.js';
import { type CountedRuns, HOURS_KEPT_MS, TallyStore } from './tally-store.js';

export interface TalliedPeriod {
  readonly hours: readonly CountedRuns[];
  /** The parts of the period of which the tallies do not tell, in order. Both ends are inclusive. */
  readonly rest: readonly (readonly [Date, Date])[];
}

/** What the tallies know of the runs of a period: whole hours that were counted after their end. */
@Injectable()
export class TalliedRuns {
  constructor(
    private readonly store: TallyStore,
    private readonly clock: Clock,
  ) {}

  /** @param to inclusive */
  async within(environmentId: string, from: Date, to: Date): Promise<TalliedPeriod> {
    const owner = toObjectId(environmentId);
    const countedTo = await this.store.countedTo(owner);
    const oldest = Math.max(from.getTime(), this.clock.now().getTime() - HOURS_KEPT_MS);
    const first = startOf(oldest + HOUR_MS - 1, HOUR_MS);
    const end = Math.min(countedTo?.getTime() ?? 0, startOf(to.getTime() + 1, HOUR_MS).getTime());
    if (end <= first.getTime()) return { hours: [], rest: [[from, to]] };
    const found = await this.store.runsWithin(owner, first, new Date(end));
    const open = found.filter((hour) => !isWhole(hour)).map(({ at }) => [at.getTime(), at.getTime() + HOUR_MS - 1]);
    const rest = [[from.getTime(), first.getTime() - 1], ...open, [end, to.getTime()]] as [number, number][];
    return {
      hours: found.filter(isWhole),
      rest: rest.filter(([start, last]) => start <= last).map(([start, last]) => [new Date(start), new Date(last)]),
    };
  }
}

function isWhole({ at, countedAt, workflows }: CountedRuns): boolean {
  return countedAt.getTime() >= at.getTime() + HOUR_MS && workflows.every(({ kinds }) => kinds !== undefined);
}

import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { toObjectId } from '#libs/persistence';
import { SETTLING_MS } from './activity-tallies.js';
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
    const countedTo = (await this.store.countedTo(owner))?.getTime() ?? 0;
    const oldest = Math.max(from.getTime(), this.clock.now().getTime() - HOURS_KEPT_MS);
    const first = startOf(oldest + HOUR_MS - 1, HOUR_MS).getTime();
    const end = startOf(to.getTime() + 1, HOUR_MS).getTime();
    if (end <= first) return { hours: [], rest: [[from, to]] };
    const found = await this.store.runsWithin(owner, new Date(first), new Date(end));
    const known = new Map(found.map((hour) => [hour.at.getTime(), hour]));
    const rest = new Periods();
    rest.add(from.getTime(), first - 1);
    for (let at = first; at < end; at += HOUR_MS) {
      const hour = known.get(at);
      const isTold = hour === undefined ? at < countedTo : isWhole(hour);
      if (!isTold) rest.add(at, at + HOUR_MS - 1);
    }
    rest.add(end, to.getTime());
    return {
      hours: found.filter(isWhole),
      rest: rest.all.map(([start, last]) => [new Date(start), new Date(last)]),
    };
  }
}

class Periods {
  readonly all: [number, number][] = [];

  /** Adjoining ones are one. */
  add(start: number, end: number): void {
    if (start > end) return;
    const last = this.all.at(-1);
    if (last !== undefined && last[1] + 1 === start) last[1] = end;
    else this.all.push([start, end]);
  }
}

/** Records may be stored a little after the end of their hour. */
function isWhole({ at, countedAt, workflows }: CountedRuns): boolean {
  return (
    countedAt.getTime() >= at.getTime() + HOUR_MS + SETTLING_MS && workflows.every(({ kinds }) => kinds !== undefined)
  );
}

import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { CHANNELS } from '#libs/channels';
import { Clock, type TenantContext } from '#libs/common';
import { shown, ValidationFailed } from '#libs/http-kit';
import { toObjectId } from '#libs/persistence';
import { momentOf } from '#libs/schedule';
import { WorkflowsService } from '../../content/workflows/index.js';
import type { ActivitySummaryQuery, Interval } from './activity.dto.js';
import {
  ActivityCountsResponse,
  ActivityPointResponse,
  ActivitySummaryResponse,
  ChannelActivityResponse,
  WorkflowActivityResponse,
} from './activity-summary.response.js';
import { HourCounter, startOf } from './hour-counter.js';
import { percentileMs } from './send-times.js';
import { addCounts, noCounts, TallySum } from './tally.js';
import { type ChannelTally, DAY_MS, HOUR_MS, type RunTally, type Tally, type TallyCounts } from './tally.schema.js';
import { TallyStore } from './tally-store.js';
import { WaitingRuns } from './waiting-runs.js';

const LENGTH_MS: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS };
const USUAL: Readonly<Record<Interval, number>> = { hour: 24, day: 7 };
const MOST: Readonly<Record<Interval, number>> = { hour: 168, day: 366 };
/** Records of each kind in an hour that a request counts itself. */
const MOST_COUNTED = 2_000;
const MOST_WORKFLOWS = 10;

interface Period {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly interval: Interval;
}

interface Counted {
  readonly at: Date;
  readonly tally: Tally;
}

@Injectable()
export class ActivitySummaryService {
  constructor(
    private readonly store: TallyStore,
    private readonly counter: HourCounter,
    private readonly waiting: WaitingRuns,
    private readonly workflows: WorkflowsService,
    private readonly clock: Clock,
  ) {}

  /**
   * @param without ids of workflows that do not count
   * @throws {ValidationFailed} for a period that ends before it begins, or has too many intervals
   */
  async get(
    tenant: TenantContext,
    query: ActivitySummaryQuery,
    without: readonly string[] = [],
  ): Promise<ActivitySummaryResponse> {
    const now = this.clock.now();
    const period = periodOf(query, now);
    const [{ counted: all, countedTo }, waiting] = await Promise.all([
      this.tallies(toObjectId(tenant.environmentId), period, now),
      this.waiting.count(tenant),
    ]);
    const ignored = new Set(without);
    const counted = all.map(({ at, tally }) => ({ at, tally: tallyWithout(tally, ignored) }));
    const sum = new TallySum();
    for (const { tally } of counted) sum.add(tally);
    const { channels, workflows } = sum.result;
    const rows = workflowsOf(channels, workflows);
    const failing = rows.filter(({ failedRuns }) => failedRuns > 0).sort(worstFirst);
    const sending = rows.filter(({ p95Ms }) => p95Ms !== undefined).sort(slowestFirst);
    const [worst, slowest] = [failing.slice(0, MOST_WORKFLOWS), sending.slice(0, MOST_WORKFLOWS)];
    const named = await this.workflows.summariesByIds(tenant, new Set([...worst, ...slowest].map(({ _id }) => _id)));
    const show = (row: WorkflowActivityResponse): WorkflowActivityResponse => {
      const { identifier, name } = named.get(row._id) ?? {};
      return { ...row, ...(identifier !== undefined && { identifier }), ...(name !== undefined && { name }) };
    };
    return shown(ActivitySummaryResponse, {
      ...period,
      countedTo,
      total: shown(ActivityCountsResponse, sumOf(channels)),
      runs: workflows.reduce((total, { runs }) => total + runs, 0),
      failedRuns: workflows.reduce((total, { failed }) => total + failed, 0),
      channels: byChannel(channels),
      points: pointsOf(period, counted),
      worst: worst.map(show),
      slowest: slowest.map(show),
      waiting,
    });
  }

  /** The tallies of the period; the hours that are not over, and their days, as they are now. */
  private async tallies(
    environmentId: Types.ObjectId,
    { from, to, interval }: Period,
    now: Date,
  ): Promise<{ readonly counted: Counted[]; readonly countedTo: Date }> {
    const current = startOf(now.getTime(), HOUR_MS);
    const before = new Date(current.getTime() - HOUR_MS);
    // Days that change now are added up from their hours.
    const changing = interval === 'day' ? startOf(before.getTime(), DAY_MS) : from;
    const hoursFrom = changing > from ? changing : from;
    const [hours, days, work] = await Promise.all([
      hoursFrom < to ? this.store.within(environmentId, 'hour', hoursFrom, to) : [],
      interval === 'day' && from < hoursFrom
        ? this.store.within(environmentId, 'day', from, hoursFrom < to ? hoursFrom : to)
        : [],
      this.store.work.findOne({ _id: environmentId }, { projection: { countedTo: 1 } }),
    ]);
    const known = new Map<number, Tally>(hours.map((hour) => [hour.at.getTime(), hour]));
    const countedAt = new Map(hours.map((hour) => [hour.at.getTime(), hour.countedAt]));
    let countedTo = now;
    for (const at of [current, before]) {
      const until = countedAt.get(at.getTime()) ?? at;
      if (until.getTime() >= at.getTime() + HOUR_MS || at < hoursFrom || at >= to) continue;
      const tally = await this.counter.countFew(environmentId, at, MOST_COUNTED);
      if (tally === undefined) countedTo = until;
      else known.set(at.getTime(), tally);
    }
    const reached = work?.countedTo;
    if (reached !== undefined && reached < before) countedTo = reached;
    const counted = [
      ...days.map((tally) => ({ at: tally.at, tally })),
      ...[...known].map(([at, tally]) => ({ at: new Date(at), tally })),
    ];
    return { counted, countedTo };
  }
}

/** @throws {ValidationFailed} for a period that ends before it begins, or has too many intervals */
function periodOf({ from, to, interval }: ActivitySummaryQuery, now: Date): Period {
  const length = LENGTH_MS[interval];
  const last = startOf((to === undefined ? now : momentOf(to, 'UTC')).getTime(), length);
  const end = new Date(last.getTime() + length);
  const first = from === undefined ? end.getTime() - USUAL[interval] * length : momentOf(from, 'UTC').getTime();
  const start = startOf(first, length);
  if (start >= end) throw new ValidationFailed(['from must not be later than to']);
  if ((end.getTime() - start.getTime()) / length > MOST[interval])
    throw new ValidationFailed([`the period must have at most ${MOST[interval]} intervals of one ${interval}`]);
  return { from: start, to: end, interval };
}

function tallyWithout({ channels, workflows }: Tally, ids: ReadonlySet<string>): Tally {
  const counts = ({ _templateId }: Pick<RunTally, '_templateId'>): boolean => !ids.has(_templateId.toHexString());
  return { channels: channels.filter(counts), workflows: workflows.filter(counts) };
}

function sumOf(rows: readonly TallyCounts[]): TallyCounts {
  const total = noCounts();
  for (const row of rows) addCounts(total, row);
  return total;
}

function byChannel(rows: readonly ChannelTally[]): ChannelActivityResponse[] {
  return CHANNELS.flatMap((channel) => {
    const own = rows.filter((row) => row.channel === channel);
    return own.length === 0 ? [] : [shown(ChannelActivityResponse, { channel, ...sumOf(own) })];
  });
}

function pointsOf({ from, to, interval }: Period, counted: readonly Counted[]): ActivityPointResponse[] {
  const length = LENGTH_MS[interval];
  const rows = new Map<number, ChannelTally[]>();
  for (const { at, tally } of counted) {
    const start = startOf(at.getTime(), length).getTime();
    rows.set(start, [...(rows.get(start) ?? []), ...tally.channels]);
  }
  const places = Array.from({ length: (to.getTime() - from.getTime()) / length }, (_, place) => {
    return from.getTime() + place * length;
  });
  return places.map((at) =>
    shown(ActivityPointResponse, { at: new Date(at), channels: byChannel(rows.get(at) ?? []) }),
  );
}

function workflowsOf(channels: readonly ChannelTally[], workflows: readonly RunTally[]): WorkflowActivityResponse[] {
  const rows = new Map<string, ChannelTally[]>();
  for (const row of channels) {
    const id = row._templateId.toHexString();
    rows.set(id, [...(rows.get(id) ?? []), row]);
  }
  return workflows.map(({ _templateId, runs, failed, times }) => {
    const _id = _templateId.toHexString();
    const [medianMs, p95Ms] = [percentileMs(times, 0.5), percentileMs(times, 0.95)];
    return shown(WorkflowActivityResponse, {
      _id,
      ...sumOf(rows.get(_id) ?? []),
      runs,
      failedRuns: failed,
      ...(medianMs !== undefined && { medianMs }),
      ...(p95Ms !== undefined && { p95Ms }),
    });
  });
}

type Row = WorkflowActivityResponse;

function worstFirst(one: Row, other: Row): number {
  const share = ({ failedRuns, runs }: Row): number => failedRuns / runs;
  return share(other) - share(one) || other.failedRuns - one.failedRuns;
}

function slowestFirst(one: Row, other: Row): number {
  return (other.p95Ms ?? 0) - (one.p95Ms ?? 0) || (other.medianMs ?? 0) - (one.medianMs ?? 0);
}

import type { Types } from 'mongoose';
import { type Channel, isChannel } from '#libs/channels';
import type { NotificationRecord, StepState, StepType } from '../../engine/delivery/index.js';
import type { CountedMessage } from '../../engine/messages/reports/index.js';
import { addTimes, countTime, noTimes } from './send-times.js';
import { type ChannelTally, type RunTally, type Tally, TALLY_COUNTS, type TallyCounts } from './tally.schema.js';

export type CountedRun = Pick<NotificationRecord, '_templateId' | 'channels' | 'status' | 'createdAt'> & {
  readonly steps: readonly Pick<StepState, 'type' | 'status' | 'finishedAt' | 'held' | 'replays'>[];
};

const ACCEPTED = new Set(['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained']);
const ARRIVED = new Set(['delivered', 'opened', 'clicked', 'complained']);
const READ = new Set(['opened', 'clicked']);

export function noCounts(): TallyCounts {
  return { sent: 0, delivered: 0, read: 0, bounced: 0, failed: 0, skipped: 0 };
}

export function addCounts(to: TallyCounts, counts: TallyCounts): void {
  for (const name of TALLY_COUNTS) to[name] += counts[name];
}

type WholeRuns = Required<RunTally>;

export function countsOf(kinds: RunTally['kinds'] = {}): [StepType, number][] {
  return Object.entries(kinds) as [StepType, number][];
}

function addKind({ kinds }: WholeRuns, kind: StepType, count: number): void {
  kinds[kind] = (kinds[kind] ?? 0) + count;
}

/** Adds up records, and tallies of several intervals. */
export class TallySum {
  private readonly channels = new Map<string, ChannelTally>();
  private readonly workflows = new Map<string, WholeRuns>();

  addRun({ _templateId, channels, status, createdAt, steps }: CountedRun): void {
    const workflow = this.workflow(_templateId);
    workflow.runs += 1;
    for (const kind of channels) addKind(workflow, kind, 1);
    if (status === 'failed') workflow.failed += 1;
    let ready = createdAt;
    for (const step of steps) {
      if (isChannel(step.type)) {
        if (step.status === 'failed') this.channel(_templateId, step.type).failed += 1;
        if (step.status === 'skipped') this.channel(_templateId, step.type).skipped += 1;
        const ms = sendingMs(step, ready);
        if (ms !== undefined) countTime(workflow.times, ms);
      }
      ready = step.finishedAt ?? ready;
    }
  }

  addMessage({ _templateId, channel, status, read }: CountedMessage): void {
    if (!ACCEPTED.has(status)) return;
    const counts = this.channel(_templateId, channel);
    counts.sent += 1;
    // What is in the feed has arrived; others have when their provider says so.
    if (channel === 'in_app' || ARRIVED.has(status)) counts.delivered += 1;
    if (read || READ.has(status)) counts.read += 1;
    if (status === 'bounced') counts.bounced += 1;
  }

  add({ channels, workflows }: Tally): void {
    for (const row of channels) addCounts(this.channel(row._templateId, row.channel), row);
    for (const { _templateId, runs, failed, times, kinds } of workflows) {
      const workflow = this.workflow(_templateId);
      workflow.runs += runs;
      workflow.failed += failed;
      addTimes(workflow.times, times);
      for (const [kind, count] of countsOf(kinds)) addKind(workflow, kind, count);
    }
  }

  get result(): Tally {
    return {
      channels: [...this.channels.values()],
      workflows: [...this.workflows.values()].map((row) => ({ ...row, times: withoutEmptyEnd(row.times) })),
    };
  }

  private channel(_templateId: Types.ObjectId, channel: Channel): ChannelTally {
    const key = `${_templateId.toHexString()}:${channel}`;
    const known = this.channels.get(key) ?? { _templateId, channel, ...noCounts() };
    this.channels.set(key, known);
    return known;
  }

  private workflow(_templateId: Types.ObjectId): WholeRuns {
    const key = _templateId.toHexString();
    const known = this.workflows.get(key) ?? { _templateId, runs: 0, failed: 0, times: noTimes(), kinds: {} };
    this.workflows.set(key, known);
    return known;
  }
}

/** Waits for schedules and budgets, and the time until somebody replays a message, are no time of sending. */
function sendingMs(
  { status, finishedAt, held, replays }: CountedRun['steps'][number],
  ready: Date,
): number | undefined {
  if (status !== 'completed' || finishedAt === undefined || held !== undefined || replays !== undefined)
    return undefined;
  return Math.max(0, finishedAt.getTime() - ready.getTime());
}

function withoutEmptyEnd(times: readonly number[]): number[] {
  return times.slice(0, times.findLastIndex((count) => count > 0) + 1);
}

import { Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import { dayOf } from '#libs/schedule';
import type { BudgetRule } from '../../../content/budgets/index.js';

/** A message that is counted. */
export interface Place {
  /** The step that sends it. */
  readonly job: Types.ObjectId;
  readonly channel: Channel;
  readonly at: Date;
}

export interface HeldMember {
  readonly job: Types.ObjectId;
  readonly run: Types.ObjectId;
  readonly channel: Channel;
}

/** Messages that a budget has held and that come as one digest. */
export interface HeldBatch {
  readonly _id: Types.ObjectId;
  /** Id of the budget. */
  readonly budget: string;
  readonly opensAt: Date;
  readonly members: readonly HeldMember[];
  /** Set once; from then on it stays as it is. */
  readonly closed?: { readonly at: Date; readonly name: string; readonly workflow: string };
  /** Its digest is triggered. */
  readonly isSent?: true;
}

/** What counts of one subscriber, for all budgets: one record, so that each message is decided in one write. */
export interface BudgetUse {
  readonly places: readonly Place[];
  readonly critical: readonly Place[];
  readonly batches: readonly HeldBatch[];
  /** Messages that were dropped while another holder of their run could still ask: it must not take a place for nothing. */
  readonly refused?: readonly Place[];
}

export const NO_USE: BudgetUse = { places: [], critical: [], batches: [] };

export interface AskedMessage {
  readonly job: Types.ObjectId;
  readonly run: Types.ObjectId;
  readonly channel: Channel;
  readonly now: Date;
  /** Of the subscriber's days. */
  readonly zone: string;
  readonly rules: readonly BudgetRule[];
  readonly isCritical: boolean;
  /** It is itself the digest of a budget: it is never dropped or held for another, and waits. */
  readonly isDigest: boolean;
  /** Its content is in the store, so it can be held for a digest. */
  readonly isStored: boolean;
  /** A worker may have asked about it before, and may still be about to. */
  readonly wasClaimed?: boolean;
}

/** Where a budget stands. */
export interface Standing {
  readonly id: string;
  readonly name: string;
  /** Messages in the window, the one in question included if it passed. */
  readonly count: number;
  readonly max: number;
  /** When there is room again; absent while there is. */
  readonly opensAt?: Date;
}

type Full = Standing & { readonly opensAt: Date };

export type BudgetVerdict =
  | { readonly kind: 'passed'; readonly standings: readonly Standing[] }
  | { readonly kind: 'critical'; readonly count: number }
  | { readonly kind: 'dropped' | 'waits' | 'unstored'; readonly standing: Full }
  | { readonly kind: 'held'; readonly standing: Full; readonly until: Date }
  /** The time of its batch has come: it is to be closed. */
  | { readonly kind: 'due'; readonly batch: HeldBatch; readonly rule: BudgetRule }
  | { readonly kind: 'digested'; readonly batch: HeldBatch };

export interface Decision {
  readonly verdict: BudgetVerdict;
  /** What is to be stored before the verdict holds; absent where nothing changes. */
  readonly use?: BudgetUse;
}

/** Critical messages that are remembered of each subscriber. */
const MAX_CRITICAL = 500;
/** Dropped messages that are remembered of each subscriber. */
const MAX_REFUSED = 200;
/** Messages of one digest. More of them make another one. */
const MAX_HELD = 500;

/** Decides about a message by what is stored of its subscriber. Changes nothing: the same use gives the same decision. */
export function decide(use: BudgetUse, asked: AskedMessage): Decision {
  const { job, rules, isCritical } = asked;
  if (has(use.places, job)) return { verdict: { kind: 'passed', standings: standingsOf(use, asked) } };
  if (has(use.critical, job)) return { verdict: { kind: 'critical', count: recentCritical(use, asked) } };
  if (has(use.refused ?? [], job)) {
    const rule = rules.find((one) => covers(one, asked));
    if (rule !== undefined) return { verdict: droppedBy({ opensAt: asked.now, ...standingOf(use, rule, asked) }) };
  }
  const batch = use.batches.find(({ members }) => has(members, job));
  if (batch?.closed !== undefined) return { verdict: { kind: 'digested', batch } };
  if (isCritical) {
    const critical = [...use.critical, placeOf(asked)].slice(-MAX_CRITICAL);
    const next = { ...use, critical };
    return { verdict: { kind: 'critical', count: recentCritical(next, asked) }, use: next };
  }
  const rule = batch && rules.find(({ id, digestWorkflow }) => id === batch.budget && digestWorkflow !== undefined);
  if (batch !== undefined && rule !== undefined && covers(rule, asked)) return ofMember(use, batch, rule, asked);
  // What held it is no more: it is asked about like any other.
  return batch === undefined ? judge(use, asked) : rejudged(without(use, batch, job), asked);
}

function ofMember(use: BudgetUse, batch: HeldBatch, rule: BudgetRule, asked: AskedMessage): Decision {
  const standing = standingOf(use, rule, asked);
  const isDue = batch.opensAt <= asked.now || standing.opensAt === undefined;
  const full = { ...standing, opensAt: batch.opensAt };
  if (!asked.isStored) return { verdict: { kind: 'unstored', standing: full } };
  if (isDue) return { verdict: { kind: 'due', batch, rule } };
  return { verdict: { kind: 'held', standing: full, until: batch.opensAt } };
}

function rejudged(use: BudgetUse, asked: AskedMessage): Decision {
  const decision = judge(use, asked);
  return { use, ...decision };
}

function judge(use: BudgetUse, asked: AskedMessage): Decision {
  const rules = asked.rules.filter((rule) => covers(rule, asked));
  const full = rules.flatMap((rule): { rule: BudgetRule; standing: Full }[] => {
    const { opensAt, ...standing } = standingOf(use, rule, asked);
    return opensAt === undefined ? [] : [{ rule, standing: { ...standing, opensAt } }];
  });
  const last = full.reduce<(typeof full)[number] | undefined>(
    (found, one) => (found !== undefined && found.standing.opensAt >= one.standing.opensAt ? found : one),
    undefined,
  );
  if (last === undefined) {
    const next = { ...use, places: [...use.places, placeOf(asked)] };
    return { verdict: { kind: 'passed', standings: standingsOf(next, asked) }, use: next };
  }
  const { isDigest, isStored } = asked;
  if (isDigest) return { verdict: { kind: isStored ? 'waits' : 'unstored', standing: last.standing } };
  const dropping = full.find(({ rule }) => rule.digestWorkflow === undefined);
  if (dropping !== undefined) {
    const verdict = droppedBy(dropping.standing);
    if (asked.wasClaimed !== true) return { verdict };
    return { verdict, use: { ...use, refused: [...(use.refused ?? []), placeOf(asked)].slice(-MAX_REFUSED) } };
  }
  if (!isStored) return { verdict: { kind: 'unstored', standing: last.standing } };
  return hold(use, last.rule, last.standing, asked);
}

function droppedBy(standing: Full): BudgetVerdict {
  return { kind: 'dropped', standing };
}

function hold(use: BudgetUse, rule: BudgetRule, standing: Full, { job, run, channel }: AskedMessage): Decision {
  const member = { job, run, channel };
  const open = use.batches.find(
    ({ budget, closed, members }) => budget === rule.id && closed === undefined && members.length < MAX_HELD,
  );
  const batch = open
    ? { ...open, members: [...open.members, member] }
    : { _id: new Types.ObjectId(), budget: rule.id, opensAt: standing.opensAt, members: [member] };
  const batches = [...use.batches.filter((one) => one !== open), batch];
  return { verdict: { kind: 'held', standing, until: batch.opensAt }, use: { ...use, batches } };
}

/** Closes a batch: those who are there come with its digest, the others are asked about again. */
export function closeBatch(
  use: BudgetUse,
  { _id }: Pick<HeldBatch, '_id'>,
  { name, digestWorkflow: workflow = '' }: BudgetRule,
  present: ReadonlySet<string>,
  at: Date,
): BudgetUse {
  const batches = use.batches.flatMap((batch): HeldBatch[] => {
    if (!batch._id.equals(_id) || batch.closed !== undefined) return [batch];
    const members = batch.members.filter(({ job }) => present.has(job.toHexString()));
    return members.length === 0 ? [] : [{ ...batch, members, closed: { at, name, workflow } }];
  });
  return { ...use, batches };
}

export function markSent(use: BudgetUse, { _id }: Pick<HeldBatch, '_id'>): BudgetUse {
  const batches = use.batches.map((batch) => (batch._id.equals(_id) ? { ...batch, isSent: true as const } : batch));
  return { ...use, batches };
}

/** Leaves out what no decision can depend on any more. @param before places that are older are in no window */
export function pruned({ places, critical, batches, refused }: BudgetUse, before: Date): BudgetUse {
  const isKept = ({ at }: { readonly at: Date }): boolean => at >= before;
  return {
    places: places.filter(isKept),
    critical: critical.filter(isKept),
    ...(refused && { refused: refused.filter(isKept) }),
    batches: batches.filter(
      ({ members, closed, isSent }) =>
        members.length > 0 && (closed === undefined || isSent !== true || isKept(closed)),
    ),
  };
}

function without(use: BudgetUse, batch: HeldBatch, job: Types.ObjectId): BudgetUse {
  const members = batch.members.filter((one) => !one.job.equals(job));
  const others = use.batches.filter((one) => one !== batch);
  return { ...use, batches: members.length === 0 ? others : [...others, { ...batch, members }] };
}

function standingsOf(use: BudgetUse, asked: AskedMessage): Standing[] {
  return asked.rules.filter((rule) => covers(rule, asked)).map((rule) => standingOf(use, rule, asked));
}

function standingOf(use: BudgetUse, rule: BudgetRule, { now, zone }: AskedMessage): Standing {
  const { id, name, max, rollingMs } = rule;
  const day = rollingMs === undefined ? dayOf(now, zone) : undefined;
  const after = day === undefined ? now.getTime() - (rollingMs ?? 0) : day.from.getTime() - 1;
  const counted = use.places
    .filter(({ at, channel }) => at.getTime() > after && rule.channels.includes(channel))
    .map(({ at }) => at.getTime())
    .sort((a, b) => a - b);
  const count = counted.length;
  if (count < max) return { id, name, count, max };
  // The place that has to leave the window so that one is free.
  const leaving = counted[count - max] ?? now.getTime();
  return { id, name, count, max, opensAt: day?.until ?? new Date(leaving + (rollingMs ?? 0)) };
}

/** Critical messages of the day. */
function recentCritical({ critical }: BudgetUse, { now, zone }: AskedMessage): number {
  const { from } = dayOf(now, zone);
  return critical.filter(({ at }) => at >= from).length;
}

function covers({ channels }: BudgetRule, { channel }: AskedMessage): boolean {
  return channels.includes(channel);
}

function placeOf({ job, channel, now: at }: AskedMessage): Place {
  return { job, channel, at };
}

function has(list: readonly { readonly job: Types.ObjectId }[], job: Types.ObjectId): boolean {
  return list.some((one) => one.job.equals(job));
}

import type { Channel } from '#libs/channels';
import { isOpen, nextOpening, type OpeningHours, type SendWindow, SUBSCRIBER_ZONE, zoneOf } from '#libs/schedule';
import { DETAIL } from '../../execution-details/index.js';
import type { HeldBy } from '../records/step-state.js';
import type { Run } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import type { StepOutcome } from '../run/transitions.js';

/** As in the compatible system. */
const MAX_EXTENSIONS = 3;

type Held = Pick<StepTask, 'run' | 'step' | 'state' | 'now' | 'recorder' | 'witness'>;
type Hours = Partial<Record<HeldBy, OpeningHours>>;

/** Whether a wait that would begin is passed at once, which the trail notes. */
export function isWaitSkipped({ run, recorder }: Pick<StepTask, 'run' | 'recorder'>): boolean {
  if (run.event.skipWaits !== true) return false;
  recorder.note(DETAIL.waitSkipped);
  return true;
}

/**
 * Whether the message of a channel step may be sent now, by the schedule of the subscriber and the send window of the team.
 * @returns undefined if it may
 */
export function bySendingTimes(task: Held, channel: Channel): StepOutcome | undefined {
  const { run, step, now, witness } = task;
  if (run.workflow.critical) return open(task);
  // In-app messages wait in the Inbox, so only their own step can hold them.
  const shared = channel === 'in_app' ? undefined : run.workflow;
  const outside = step.metadata.outsideSchedule ?? (shared && (shared.outsideSchedule ?? 'skip'));
  const window = step.metadata.sendWindow ?? shared?.sendWindow;
  const schedule = outside === undefined ? undefined : scheduleOf(run);
  const isScheduled = schedule === undefined || isOpen(schedule, now);
  if (witness) witness.isScheduled ??= isScheduled;
  const sendWindow = window && windowOf(window, run);
  const hours: Hours = {
    ...(sendWindow && { send_window: sendWindow }),
    ...(schedule && outside === 'wait' && { schedule }),
  };
  const isClosed = !isScheduled || Object.values(hours).some((one) => !isOpen(one, now));
  if (isClosed && isWaitSkipped(task)) return undefined;
  const held = hold(task, hours);
  if (held !== undefined) return held;
  return isScheduled || outside === 'wait' ? undefined : skip(task, DETAIL.outsideSchedule);
}

/**
 * Whether a delay or digest that is over goes on waiting for the schedule of the subscriber.
 * @returns undefined if it does not
 */
export function extension(task: Held): StepOutcome | undefined {
  const { run, step, state, now, recorder } = task;
  if (step.metadata.extendToSchedule !== true || run.workflow.critical) return undefined;
  const schedule = scheduleOf(run);
  if (schedule === undefined || isOpen(schedule, now)) return undefined;
  const { until, times = 0 } = state.held ?? {};
  const isUsedUp = times >= MAX_EXTENSIONS && until !== undefined && until <= now;
  if (isUsedUp || nextOpening([schedule], now) === undefined) {
    recorder.note(isUsedUp ? DETAIL.extensionsUsedUp : DETAIL.neverOpen, { raw: scheduleIn(run) });
    return undefined;
  }
  return hold(task, { schedule });
}

/** @returns undefined if everything is open */
function hold(task: Held, hours: Hours): StepOutcome | undefined {
  const { run, state, now, recorder, witness } = task;
  const by = (['schedule', 'send_window'] as const).filter((one) => hours[one] && !isOpen(hours[one], now));
  if (by.length === 0) return undefined;
  const before = state.held;
  // Whoever changes the schedule wakes the runs that are held. So the run is stored as held first, and what is read after that
  // is the schedule as it is, or a change will find the run.
  if (before === undefined && witness === undefined) {
    return { kind: 'wait', until: now, isHeld: true, progress: { held: { since: now, by, times: 0 } } };
  }
  const until = nextOpening(
    Object.values(hours).filter((one) => one !== undefined),
    now,
  );
  if (until === undefined) return skip(task, DETAIL.neverOpen);
  if (before?.until?.getTime() !== until.getTime()) {
    recorder.note(DETAIL.stepHeld, { raw: { until, by, ...scheduleIn(run), sendWindow: windowIn(task) } });
  }
  const isNext = before?.until === undefined || before.until <= now;
  const times = (before?.times ?? 0) + (isNext ? 1 : 0);
  return {
    kind: 'wait',
    until,
    isHeld: true,
    progress: { held: { since: before?.since ?? now, by, until, times } },
  };
}

function open({ witness }: Held): undefined {
  if (witness) witness.isScheduled = true;
}

function skip({ run, recorder }: Held, detail: typeof DETAIL.outsideSchedule | typeof DETAIL.neverOpen): StepOutcome {
  recorder.note(detail, { raw: scheduleIn(run) });
  return { kind: 'skipped', reason: detail === DETAIL.neverOpen ? 'never_open' : 'schedule' };
}

/** @returns undefined if the subscriber takes messages at any time */
function scheduleOf({ facts }: Run): OpeningHours | undefined {
  const { isEnabled = false, weeklySchedule: week } = facts.globalPreference?.schedule ?? {};
  if (!isEnabled || week === undefined) return undefined;
  return { week, zone: zoneOf({ timezone: SUBSCRIBER_ZONE }, facts.subscriber.timezone) };
}

function windowOf({ timezone, weeklySchedule: week }: SendWindow, { facts }: Run): OpeningHours {
  return { week, zone: zoneOf({ timezone: timezone ?? SUBSCRIBER_ZONE }, facts.subscriber.timezone) };
}

function scheduleIn({ facts }: Run): Record<string, unknown> {
  const { globalPreference, subscriber } = facts;
  return { schedule: globalPreference?.schedule, timezone: subscriber.timezone };
}

function windowIn({ run, step }: Held): SendWindow | undefined {
  return step.metadata.sendWindow ?? run.workflow.sendWindow;
}

import type { Channel } from '#libs/channels';
import { explanationOf } from '../execution-details/index.js';
import type { RehearsedRun, RehearsedStep, StepType } from '../delivery/index.js';

const CHANNEL_STEPS: ReadonlySet<string> = new Set<Channel>(['in_app', 'email', 'sms', 'chat', 'push']);
/** Two rehearsals do not begin in the same millisecond. */
const SAME_TIME_MS = 60_000;

/** A message that a person would get. */
interface OutcomeMessage {
  readonly channel: Channel;
  readonly at: number;
}

/** A step that would send nothing, and why. */
interface UnsentStep {
  readonly uuid: string;
  readonly name?: string;
  readonly type: StepType;
  readonly reason: string;
  readonly title?: string;
}

/** What one person would get of an event. */
export interface RunOutcome {
  readonly messages: readonly OutcomeMessage[];
  /** What the messages say. */
  readonly texts: string;
  readonly unsent: readonly UnsentStep[];
  /** Its event would be part of a message that another notification sends. */
  readonly joinsDigest: boolean;
  /** Values that the payload lacks, so that the event would be refused. */
  readonly missing: readonly string[];
}

/** How two outcomes differ. The other differences are told only where both send the same messages. */
type OutcomeDifference = 'result' | 'reasons' | 'texts' | 'times';

export function refusedOutcome(missing: readonly string[]): RunOutcome {
  return { messages: [], texts: '', unsent: [], joinsDigest: false, missing };
}

export function outcomeOfRun({ run, steps }: RehearsedRun): RunOutcome {
  const sending = steps.filter(({ state }) => CHANNEL_STEPS.has(state.type));
  return {
    messages: sending.flatMap(messagesOf),
    texts: JSON.stringify(sending.filter((step) => messagesOf(step).length > 0).map(textOf)),
    unsent: sending.filter((step) => messagesOf(step).length === 0).map(unsentOf),
    joinsDigest: run.record.status === 'merged',
    missing: [],
  };
}

export function differencesOf(before: RunOutcome, after: RunOutcome): readonly OutcomeDifference[] {
  if (resultOf(before) !== resultOf(after)) return ['result'];
  const differences: OutcomeDifference[] = [];
  if (isReasonChanged(before.unsent, after.unsent)) differences.push('reasons');
  if (before.texts !== after.texts) differences.push('texts');
  const later = timesOf(after);
  if (timesOf(before).some((at, place) => isOtherTime(at, later[place]))) differences.push('times');
  return differences;
}

/** In-app messages are delivered by being stored, the others by what is composed for providers. */
function messagesOf({ state, at, until, messages, witness }: RehearsedStep): OutcomeMessage[] {
  const stored = messages.filter(({ channel }) => channel === 'in_app').map(({ channel }) => channel);
  const channels = [...stored, ...witness.composed.map(({ message }) => message.channel)];
  const time = (until ?? at ?? state.finishedAt)?.getTime() ?? 0;
  return channels.map((channel) => ({ channel, at: time }));
}

/** Without links and addresses, which name the message itself. */
function textOf({ step, messages }: RehearsedStep): unknown {
  const { _layoutId, preheader, senderName } = step.template;
  const said = messages.map(({ channel, subject, title, content, cta }) => [channel, subject, title, content, cta]);
  return [said, _layoutId, preheader, senderName];
}

function unsentOf({ step, state, details }: RehearsedStep): UnsentStep {
  const { status, reason = status, error, type } = state;
  const shown = details.map(({ detail, status: how = 'Success' }) => ({ detail, status: how }));
  const title = explanationOf({ status, reason, error, details: shown })?.title;
  return {
    uuid: step.uuid,
    ...(step.name !== undefined && { name: step.name }),
    type,
    reason,
    ...(title !== undefined && { title }),
  };
}

function resultOf({ messages, joinsDigest, missing }: RunOutcome): string {
  return [...messages.map(({ channel }) => channel).sort(), joinsDigest, missing.length > 0].join();
}

/** In the order of the channels, which are the same. */
function timesOf({ messages }: RunOutcome): readonly number[] {
  return [...messages].sort((a, b) => a.channel.localeCompare(b.channel) || a.at - b.at).map(({ at }) => at);
}

/** Of steps that both have. */
function isReasonChanged(before: readonly UnsentStep[], after: readonly UnsentStep[]): boolean {
  const reasons = new Map(before.map(({ uuid, reason }) => [uuid, reason]));
  return after.some(({ uuid, reason }) => (reasons.get(uuid) ?? reason) !== reason);
}

function isOtherTime(before: number, after: number | undefined): boolean {
  return after === undefined || Math.abs(after - before) > SAME_TIME_MS;
}

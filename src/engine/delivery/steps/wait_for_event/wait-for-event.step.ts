import { waitLimit, zoneOf } from '#libs/schedule';
import { WAITS_ENDED } from '#libs/telemetry';
import { TemplateError } from '#libs/templates';
import { Injectable } from '@nestjs/common';
import { AwaitingEnvironments } from '../../records/awaiting-environments.js';
import type { WaitState } from '../../records/step-state.js';
import type { StepHandler, StepPreview, StepTask, StepWitness } from '../../run/step-handler.js';
import type { StepOutcome, StepProgress } from '../../run/transitions.js';
import { stepKeys } from '../overrides.js';
import { isWaitSkipped } from '../sending-times.js';
import { StepGate } from '../step-gate.js';
import { type Answer, WaitAnswers } from './wait-answers.js';
import { Step } from '../../run/step.decorator.js';
import { isMessageEvent, type WaitMetadata } from './wait.metadata.js';
import { waitForEvent } from './wait-for-event.declaration.js';

/**
 * Messages of a subscriber that are marked all at once wake the waits only of environments that are known to have some. A wait
 * looks again when every process knows.
 */
const LOOK_AGAIN_MS = AwaitingEnvironments.KNOWN_MS + 1_000;

/**
 * Waits for an event, or for the end of a time. What was stored before the end is decided counts, and the decision is stored
 * before anything follows from it. So the event and the time limit cannot both win, whichever workers hold the run.
 */
@Step(waitForEvent)
@Injectable()
export class WaitForEventStep implements StepHandler {
  constructor(
    private readonly gate: StepGate,
    private readonly answers: WaitAnswers,
    private readonly environments: AwaitingEnvironments,
  ) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const { wait } = task.state;
    if (wait?.outcome !== undefined) return end(task, wait);
    if (wait !== undefined) return this.look(task, wait);
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    if (task.run.event.test !== undefined) return { kind: 'completed' };
    if (isWaitSkipped(task)) return passed(task);
    return this.begin(task);
  }

  /** The decision is in its state. */
  recall(task: StepTask): Promise<StepProgress> {
    const { wait } = task.state;
    return Promise.resolve(wait?.outcome === undefined ? {} : (end(task, wait).progress ?? {}));
  }

  preview(task: StepTask): Promise<StepPreview> {
    return Promise.resolve().then(() => ({ until: limitOf(task) }));
  }

  /** What happens from the write of this on will wake the run, so what is read after it misses nothing. */
  private async begin(task: StepTask): Promise<StepOutcome> {
    const { run, now, recorder, witness } = task;
    const { event, match } = metadataOf(task);
    const until = limitOf(task);
    try {
      const keys = isMessageEvent(event) ? undefined : await this.answers.keysOf(task);
      recorder.note(waitForEvent.trail.started, { raw: { event, until, ...(match && { match }) } });
      const wait: WaitState = { since: now, until, ...(keys && { keys }) };
      if (witness) return foreseen(task, witness, wait);
      this.environments.note(run.record._environmentId);
      return { kind: 'wait', until: now, awaiting: awaitedBy(task, wait), progress: { wait } };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      recorder.note(waitForEvent.trail.misconfigured, { raw: { error: error.message } });
      // Later steps would run at a time that the workflow does not ask for.
      return { kind: 'failed', reason: 'invalid_wait', error: error.message, stopsRun: true };
    }
  }

  private async look(task: StepTask, wait: WaitState): Promise<StepOutcome> {
    const { now } = task;
    const answer = await this.answers.find(task, wait);
    if (answer !== undefined) return decided(wait, 'matched', now, answer);
    if (wait.until <= now) return decided(wait, 'timed_out', now);
    const again = new Date(wait.since.getTime() + LOOK_AGAIN_MS);
    const until = wait.keys === undefined && now < again && again < wait.until ? again : wait.until;
    return { kind: 'wait', until, awaiting: awaitedBy(task, wait) };
  }
}

/** Nothing comes in a rehearsal but what it is told, and that at once. */
function foreseen(task: StepTask, { asked, foreseen: shown }: StepWitness, wait: WaitState): StepOutcome {
  const { step, now } = task;
  const key = stepKeys(step).find((name) => Object.hasOwn(asked.waits ?? {}, name));
  const outcome = (key === undefined ? undefined : asked.waits?.[key]) ?? 'timed_out';
  shown['wait'] = { event: metadataOf(task).event, until: wait.until, outcome };
  if (outcome === 'matched') return decided(wait, outcome, now, { at: now });
  return { kind: 'wait', until: wait.until, progress: { wait: { ...wait, outcome } } };
}

function decided(
  wait: WaitState,
  outcome: NonNullable<WaitState['outcome']>,
  now: Date,
  answer: Answer = {},
): StepOutcome {
  return { kind: 'wait', until: now, awaiting: [], progress: { wait: { ...wait, outcome, ...answer } } };
}

function end({ run, recorder, state, ...task }: StepTask, { outcome, at, payload }: WaitState): StepOutcome {
  const { event, onMatch = 'continue', onTimeout = 'stop' } = metadataOf(task);
  const isMatched = outcome === 'matched';
  const output = {
    matched: isMatched,
    event,
    ...(at && { at: at.toISOString() }),
    ...(payload && { payload }),
  };
  // What templates see includes the output.
  delete run.variables;
  if (outcome !== undefined && task.witness === undefined) WAITS_ENDED.add({ outcome });
  const stops = (isMatched ? onMatch : onTimeout) === 'stop';
  recorder.note(isMatched ? waitForEvent.trail.matched : waitForEvent.trail.timedOut, {
    raw: { event, ...(at && { at }), waitedSince: state.wait?.since, then: stops ? 'stop' : 'continue' },
  });
  const progress = { output };
  if (!stops) return { kind: 'completed', progress };
  return { kind: 'completed', endsRun: isMatched ? 'wait_matched' : 'wait_timed_out', progress };
}

/** Goes on with the next step, as after that outcome after which the workflow goes on. */
function passed(task: StepTask): StepOutcome {
  const { event, onMatch = 'continue', onTimeout = 'stop' } = metadataOf(task);
  // What templates see includes the output.
  delete task.run.variables;
  return { kind: 'completed', progress: { output: { matched: onTimeout === 'stop' && onMatch !== 'stop', event } } };
}

function awaitedBy(task: StepTask, { keys }: WaitState): readonly string[] {
  return keys ?? [metadataOf(task).event];
}

function metadataOf({ step }: Pick<StepTask, 'step'>): WaitMetadata {
  return step.metadata as WaitMetadata;
}

function limitOf(task: StepTask): Date {
  const { run, step, now } = task;
  return waitLimit(metadataOf(task), now, zoneOf(step.metadata, run.facts.subscriber.timezone));
}

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { zoneOf } from '#libs/schedule';
import { DeliveryQueues } from '../../queues/delivery-queues.js';
import { Throttles, type ThrottleVerdict } from '../../records/throttles.js';
import type { StepHandler, StepPreview, StepTask } from '../../run/step-handler.js';
import type { StepOutcome, StepProgress } from '../../run/transitions.js';
import { StepFailure } from '../provider-channel.js';
import { StepGate } from '../step-gate.js';
import { Step } from '../../run/step.decorator.js';
import { InvalidWindowError, keyOfThrottle, throttleWindowEnd } from './throttle-window.js';
import type { ThrottleMetadata } from './throttle.metadata.js';
import { throttle } from './throttle.declaration.js';

const DEFAULT_THRESHOLD = 1;

/** Lets a number of runs of a subscriber through in a window. The others end here. */
@Step(throttle)
@Injectable()
export class ThrottleStep implements StepHandler {
  constructor(
    private readonly gate: StepGate,
    private readonly throttles: Throttles,
    private readonly queues: DeliveryQueues,
  ) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    if (task.run.event.test !== undefined) return { kind: 'completed' };
    try {
      return await this.count(task);
    } catch (error) {
      if (!(error instanceof InvalidWindowError)) throw error;
      // An event that cannot be counted is let through: too much is better than nothing at all.
      task.recorder.note(throttle.trail.misconfigured, { raw: { error: error.message } });
      return { kind: 'completed' };
    }
  }

  /** Only its place: its conditions may be others by now. */
  async recall(task: StepTask): Promise<StepProgress> {
    try {
      const place = await this.throttles.placeOf(slotOf(task), task.run.record._id);
      return place === undefined ? {} : noted(task, place);
    } catch (error) {
      if (!(error instanceof InvalidWindowError)) throw error;
      return {};
    }
  }

  async preview(task: StepTask): Promise<StepPreview> {
    try {
      return await Promise.resolve({ until: windowOf(task).until });
    } catch (error) {
      if (!(error instanceof InvalidWindowError)) throw error;
      throw new StepFailure(throttle.trail.misconfigured, 'throttled', error.message);
    }
  }

  private async count(task: StepTask): Promise<StepOutcome> {
    const { slot, until } = windowOf(task);
    const { run, now } = task;
    const threshold = thresholdOf(task);
    // Whoever has the run by now may have been refused, and no place is given back. New runs are not leased yet.
    const assertHeld = run.isStored ? (): Promise<void> => this.queues.leases.assertHeld(run) : undefined;
    const asked = { now, until, threshold, ...(assertHeld && { assertHeld }) };
    const verdict = await this.throttles.enter(slot, run.record._id, asked);
    const progress = noted(task, verdict);
    if (task.witness) task.witness.foreseen['throttle'] = progress.output;
    return verdict.passed
      ? { kind: 'completed', progress }
      : { kind: 'skipped', reason: 'throttled', stopsRun: true, progress };
  }
}

function thresholdOf({ step }: StepTask): number {
  return (step.metadata as ThrottleMetadata).threshold ?? DEFAULT_THRESHOLD;
}

function noted(task: StepTask, { passed, count, until }: ThrottleVerdict): StepProgress {
  const opensAt = until.toISOString();
  const output = { throttled: !passed, executionCount: count, threshold: thresholdOf(task), opensAt };
  // What templates see includes the output.
  delete task.run.variables;
  task.recorder.note(passed ? throttle.trail.passed : throttle.trail.throttled, { raw: output });
  return { output };
}

/** @throws {InvalidWindowError} */
function windowOf(task: StepTask): { readonly slot: string; readonly until: Date } {
  const { run, step, now } = task;
  const zone = zoneOf(step.metadata, run.facts.subscriber.timezone);
  const until = throttleWindowEnd(step.metadata as ThrottleMetadata, sourcesOf(task), now, zone);
  return { slot: slotOf(task), until };
}

/** @throws {InvalidWindowError} */
function slotOf(task: StepTask): string {
  const { run, step } = task;
  const { record } = run;
  const key = keyOfThrottle(step.metadata as ThrottleMetadata, sourcesOf(task));
  return createHash('sha256')
    .update(record._templateId.id)
    .update(step._id.id)
    .update(record._subscriberId.id)
    .update(key ?? '')
    .digest('base64url');
}

function sourcesOf({ run: { event, facts } }: StepTask): { readonly payload: unknown; readonly tenant: unknown } {
  return { payload: event.payload, tenant: facts.tenant };
}

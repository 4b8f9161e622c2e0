import { Injectable } from '@nestjs/common';
import { type DelayMetadata, delayDueAt, InvalidDelayError, zoneOf } from '#libs/schedule';
import type { StepHandler, StepPreview, StepTask } from '../../run/step-handler.js';
import type { StepOutcome } from '../../run/transitions.js';
import { delayOverride } from '../overrides.js';
import { extension, isWaitSkipped } from '../sending-times.js';
import { StepGate } from '../step-gate.js';
import { Step } from '../../run/step.decorator.js';
import { delay } from './delay.declaration.js';

@Step(delay)
@Injectable()
export class DelayStep implements StepHandler {
  constructor(private readonly gate: StepGate) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const { now, isResumed, recorder } = task;
    if (isResumed) {
      const extended = extension(task);
      if (extended) return extended;
      recorder.note(delay.trail.finished);
      return { kind: 'completed' };
    }
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    if (isWaitSkipped(task)) return { kind: 'completed' };
    try {
      const until = endOf(task);
      recorder.note(delay.trail.started, { raw: { delay: until.getTime() - now.getTime() } });
      return { kind: 'wait', until };
    } catch (error) {
      if (!(error instanceof InvalidDelayError)) throw error;
      recorder.note(delay.trail.misconfigured, { raw: { error: error.message } });
      // Later steps would run at a time that the workflow does not ask for.
      return { kind: 'failed', reason: 'invalid_delay', error: error.message, stopsRun: true };
    }
  }

  preview(task: StepTask): Promise<StepPreview> {
    return Promise.resolve().then(() => ({ until: endOf(task) }));
  }
}

/** @throws {InvalidDelayError} */
function endOf({ run, step, now }: StepTask): Date {
  const { payload, overrides } = run.event;
  const zone = zoneOf(step.metadata, run.facts.subscriber.timezone);
  return delayDueAt(step.metadata as DelayMetadata, payload, now, zone, delayOverride(overrides));
}

import { Injectable } from '@nestjs/common';
import { type DelayMetadata, delayDueAt, InvalidDelayError } from '#libs/schedule';
import { DETAIL } from '../../execution-details/index.js';
import { delayOverride } from './overrides.js';
import type { StepResult } from '../run/transitions.js';
import { StepGate } from './step-gate.js';
import type { StepHandler, StepTask } from '../run/step-handler.js';

/** Lets the run wait. Its conditions are asked once, before it waits. */
@Injectable()
export class DelayStep implements StepHandler {
  readonly type = 'delay' as const;

  constructor(private readonly gate: StepGate) {}

  async run(task: StepTask): Promise<StepResult> {
    const { run, step, state, now, isResumed } = task;
    if (isResumed) {
      run.effects.detail(state, DETAIL.delayFinished, now);
      return { kind: 'completed' };
    }
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    try {
      const { payload, overrides } = run.event;
      const until = delayDueAt(step.metadata as DelayMetadata, payload, now, undefined, delayOverride(overrides));
      run.effects.detail(state, DETAIL.stepDelayed, now, { raw: { delay: until.getTime() - now.getTime() } });
      return { kind: 'wait', until };
    } catch (error) {
      if (!(error instanceof InvalidDelayError)) throw error;
      run.effects.detail(state, DETAIL.delayMisconfigured, now, { raw: { error: error.message } });
      // What comes after would come at a moment that nobody asked for.
      return { kind: 'failed', reason: 'invalid_delay', error: error.message, stopsRun: true };
    }
  }
}

import { createHash } from 'node:crypto';
import { InvalidWindowError, keyOfThrottle, type ThrottleMetadata, throttleWindowEnd, zoneOf } from '#libs/schedule';
import { DETAIL } from '../../execution-details/index.js';
import { Throttles, type ThrottleVerdict } from '../records/throttles.js';
import type { StepHandler, StepPreview, StepTask } from '../run/step-handler.js';
import type { StepOutcome } from '../run/transitions.js';
import { StepGate } from './step-gate.js';

const DEFAULT_THRESHOLD = 1;

/** Lets a number of runs of a subscriber through in a window. The others end here. */
export class ThrottleStep implements StepHandler {
  readonly type = 'throttle' as const;

  constructor(
    private readonly gate: StepGate,
    private readonly throttles: Throttles,
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
      task.recorder.note(DETAIL.throttleMisconfigured, { raw: { error: error.message } });
      return { kind: 'completed' };
    }
  }

  preview(task: StepTask): Promise<StepPreview> {
    return Promise.resolve().then(() => ({ until: windowOf(task).until }));
  }

  private async count(task: StepTask): Promise<StepOutcome> {
    const { slot, until } = windowOf(task);
    const { run, step, now, recorder } = task;
    const threshold = step.metadata.threshold ?? DEFAULT_THRESHOLD;
    const verdict = await this.throttles.enter(slot, run.record._id, { now, until, threshold });
    if (task.witness) task.witness.throttle = { ...verdict, threshold };
    const output = outputOf(verdict, threshold);
    // What templates see includes the output.
    delete run.variables;
    if (verdict.passed) {
      recorder.note(DETAIL.throttlePassed, { raw: output });
      return { kind: 'completed', progress: { output } };
    }
    recorder.note(DETAIL.throttled, { raw: output });
    return { kind: 'skipped', reason: 'throttled', stopsRun: true, progress: { output } };
  }
}

function outputOf({ passed, count, until }: ThrottleVerdict, threshold: number): Readonly<Record<string, unknown>> {
  return { throttled: !passed, executionCount: count, threshold, opensAt: until.toISOString() };
}

/** @throws {InvalidWindowError} */
function windowOf({ run, step, now }: StepTask): { readonly slot: string; readonly until: Date } {
  const { record, event, facts } = run;
  const metadata = step.metadata as ThrottleMetadata;
  const sources = { payload: event.payload, tenant: facts.tenant };
  const key = keyOfThrottle(metadata, sources);
  const until = throttleWindowEnd(metadata, sources, now, zoneOf(step.metadata, facts.subscriber.timezone));
  const slot = createHash('sha256')
    .update(record._templateId.id)
    .update(step._id.id)
    .update(record._subscriberId.id)
    .update(key ?? '')
    .digest('base64url');
  return { slot, until };
}

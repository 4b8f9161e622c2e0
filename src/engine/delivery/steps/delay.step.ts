import { type DelayMetadata, delayDueAt, InvalidDelayError, zoneOf } from '#libs/schedule';
import { DETAIL } from '../../execution-details/index.js';
import type { StepHandler, StepPreview, StepTask } from '../run/step-handler.js';
import { detailOf, reportOf, type StepReport } from '../run/step-report.js';
import { delayOverride } from './overrides.js';
import { StepGate } from './step-gate.js';

export class DelayStep implements StepHandler {
  readonly type = 'delay' as const;

  constructor(private readonly gate: StepGate) {}

  async run(task: StepTask): Promise<StepReport> {
    const { state, now, isResumed } = task;
    if (isResumed) return reportOf({ kind: 'completed' }, [detailOf(state, DETAIL.delayFinished, now)]);
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    try {
      const until = endOf(task);
      const raw = { delay: until.getTime() - now.getTime() };
      return reportOf({ kind: 'wait', until }, [detailOf(state, DETAIL.stepDelayed, now, { raw })]);
    } catch (error) {
      if (!(error instanceof InvalidDelayError)) throw error;
      const detail = detailOf(state, DETAIL.delayMisconfigured, now, { raw: { error: error.message } });
      // Later steps would run at a time that the workflow does not ask for.
      return reportOf({ kind: 'failed', reason: 'invalid_delay', error: error.message, stopsRun: true }, [detail]);
    }
  }
  preview(task: StepTask): Promise<StepPreview> {
    return Promise.resolve().then(() => ({ until: endOf(task), details: [] }));
  }
}

/** @throws {InvalidDelayError} */
function endOf({ run, step, now }: StepTask): Date {
  const { payload, overrides } = run.event;
  const zone = zoneOf(step.metadata, run.facts.subscriber.timezone);
  return delayDueAt(step.metadata as DelayMetadata, payload, now, zone, delayOverride(overrides));
}

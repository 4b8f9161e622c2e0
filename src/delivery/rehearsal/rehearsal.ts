import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger, defineError } from '#libs/http-kit';
import type { NewDetail } from '../../execution-details/index.js';
import type { NewMessage } from '../../messages/index.js';
import type { ResolvedSubscriber } from '../../subscribers/index.js';
import type { StepState } from '../records/notification.js';
import type { RunStep } from '../records/workflow-version.js';
import { carryOut } from '../run/carry-out.js';
import { type EventFacts, RunLoader } from '../run/run-loader.js';
import { idsOf } from '../run/run-telemetry.js';
import { type Run, workflowStep } from '../run/run.js';
import { type RehearsedGathering, RehearsalHandlers, type StepTask } from '../run/step-handler.js';
import type { StepReport } from '../run/step-report.js';
import { StepWitness } from '../run/step-witness.js';
import { applyOutcome, currentStep, startStep } from '../run/transitions.js';

export const RenderingIsBusy = defineError(
  503,
  'rendering_busy',
  'Too many messages are waiting to be rendered. Send the request again in a second.',
  { retryAfterSeconds: 1 },
);

/** What carrying out one step would come to. */
export interface RehearsedStep {
  readonly step: RunStep;
  /** The state that the step would end with. */
  readonly state: Readonly<StepState>;
  /** When the step would begin; absent if the run would end before. */
  readonly at?: Date;
  readonly witness: StepWitness;
  readonly details: readonly NewDetail[];
  readonly messages: readonly NewMessage[];
  /** When a delay or digest would end, or a failed call be repeated. */
  readonly until?: Date;
  readonly gathering?: RehearsedGathering;
}

export interface RehearsedRun {
  readonly run: Run;
  readonly steps: readonly RehearsedStep[];
}

/** Carries out runs with the handlers of deliveries, in memory and in one go: nothing is sent, stored or waited for. */
@Injectable()
export class Rehearsal {
  private readonly retentionDays: number;

  constructor(
    private readonly loader: RunLoader,
    private readonly handlers: RehearsalHandlers,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** @throws {RenderingIsBusy} */
  async rehearse(facts: EventFacts, recipients: readonly ResolvedSubscriber[]): Promise<RehearsedRun[]> {
    const now = this.clock.now();
    const rehearsed: RehearsedRun[] = [];
    for (const run of await this.loader.plan([{ facts, recipients }], '', now)) {
      rehearsed.push({ run, steps: await this.walk(run, now) });
    }
    return rehearsed;
  }

  private async walk(run: Run, start: Date): Promise<RehearsedStep[]> {
    const steps = new Map<StepState, RehearsedStep>();
    let now = start;
    for (;;) {
      const state = currentStep(run.record);
      const step = workflowStep(run);
      if (state === undefined || step === undefined) break;
      const begun = steps.get(state);
      const witness = begun?.witness ?? new StepWitness();
      const seen = { details: run.effects.details.length, messages: run.effects.messages.length };
      const passed = await this.pass({ run, step, state, now, isResumed: state.status === 'delayed', witness });
      steps.set(state, {
        step,
        state,
        at: begun?.at ?? now,
        witness,
        details: [...(begun?.details ?? []), ...run.effects.details.slice(seen.details)],
        messages: [...(begun?.messages ?? []), ...run.effects.messages.slice(seen.messages)],
        ...(begun?.until && { until: begun.until }),
        ...passed,
      });
      if (state.status === 'queued') break;
      now = passed.until ?? now;
    }
    return run.record.steps.flatMap((state, place): RehearsedStep[] => {
      const step = run.workflow.steps[place];
      if (step === undefined) return [];
      return [steps.get(state) ?? { step, state, witness: new StepWitness(), details: [], messages: [] }];
    });
  }

  /** Carries out the current step up to its end or its wait. */
  private async pass(task: StepTask): Promise<Pick<RehearsedStep, 'until' | 'gathering'>> {
    const { run, step, state, now } = task;
    startStep(state, now);
    const report = await carryOut(this.handlers, task, (message, err) => {
      this.logger.event('error', message, { ...idsOf(run.record), err, context: Rehearsal.name });
    });
    const { outcome } = report;
    if (outcome.kind === 'busy') throw new RenderingIsBusy();
    run.effects.add(report);
    this.apply(run, step, report, now);
    if (outcome.kind === 'wait') return { until: outcome.until };
    if (outcome.kind === 'retry') return { until: outcome.at };
    if (outcome.kind !== 'gather') return {};
    run.entry = { slot: outcome.slot, until: outcome.until };
    return this.gather(task);
  }

  private async gather({ run, step, state, now }: StepTask): Promise<Pick<RehearsedStep, 'until' | 'gathering'>> {
    const gathering = await this.handlers.get(state.type)?.gathering?.rehearse(run, now);
    if (gathering === undefined) throw new Error('A step gathers without a gathering.');
    const { until, report } = gathering;
    if (report !== undefined) {
      run.effects.add(report);
      this.apply(run, step, report, until);
    }
    return { until, gathering };
  }

  private apply({ record }: Run, { shouldStopOnFail }: RunStep, report: StepReport, now: Date): void {
    applyOutcome(record, report, { now, shouldStopOnFail, retentionDays: this.retentionDays });
  }
}

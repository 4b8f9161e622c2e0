import { Injectable } from '@nestjs/common';
import { AppLogger } from '#libs/http-kit';
import { Turns } from '#libs/worker-pool';
import type { NewDetail } from '../../execution-details/index.js';
import type { NewMessage } from '../../messages/store/index.js';
import type { ResolvedSubscriber } from '../../../audience/subscribers/index.js';
import type { StepState } from '../records/notification.js';
import type { RunStep } from '../records/workflow-version.js';
import { type EventFacts, RunLoader } from '../run/run-loader.js';
import { idsOf } from '../run/run-telemetry.js';
import { type Run, RunClock, workflowStep } from '../run/run.js';
import { type RehearsalChoices, RehearsalHandlers, type StepTask, StepWitness } from '../run/step-handler.js';
import { detailsOfEnded, StepRecorder } from '../run/step-recorder.js';
import { runStep } from '../run/step-runner.js';
import { applyOutcome, currentStep, startStep, type StepOutcome } from '../run/transitions.js';
import { RenderingIsBusy } from './rehearsal.errors.js';

/** Of the messages of one event. A single message can have some millions. */
const MAX_CHARACTERS = 5_000_000;

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
  /** When a delay, digest or wait would end, or a failed call be repeated. */
  readonly until?: Date;
}

type StepEnd = Pick<RehearsedStep, 'until'>;
type Passed = StepEnd & Required<Pick<RehearsedStep, 'at' | 'witness'>>;

export interface RehearsedRun {
  readonly run: Run;
  readonly steps: readonly RehearsedStep[];
}

/** Carries out runs with the handlers of deliveries, in memory and in one go: nothing is sent, stored or waited for. */
@Injectable()
export class Rehearsal {
  constructor(
    private readonly loader: RunLoader,
    private readonly handlers: RehearsalHandlers,
    private readonly clock: RunClock,
    private readonly logger: AppLogger,
  ) {}

  /** Ends early when the messages together are very large. @throws {RenderingIsBusy} */
  async rehearse(
    facts: EventFacts,
    recipients: readonly ResolvedSubscriber[],
    choices?: RehearsalChoices,
  ): Promise<RehearsedRun[]> {
    const now = this.clock.now();
    const turns = new Turns();
    const rehearsed: RehearsedRun[] = [];
    let characters = 0;
    for (const run of await this.loader.plan([{ facts, recipients }], '', now)) {
      const pause = turns.offer();
      if (pause !== undefined) await pause;
      const steps = await this.walk(run, now, choices);
      rehearsed.push({ run, steps });
      characters += charactersIn(steps);
      if (characters > MAX_CHARACTERS) break;
    }
    return rehearsed;
  }

  private async walk(run: Run, start: Date, choices?: RehearsalChoices): Promise<RehearsedStep[]> {
    const passed = new Map<StepState, Passed>();
    let now = start;
    for (;;) {
      const state = currentStep(run.record);
      const step = workflowStep(run);
      if (state === undefined || step === undefined) break;
      const before = passed.get(state) ?? { at: now, witness: new StepWitness(choices) };
      const { witness } = before;
      const recorder = new StepRecorder(state, now);
      const end = await this.pass({ run, step, state, now, isResumed: state.status === 'delayed', recorder, witness });
      passed.set(state, { ...before, ...end });
      if (state.status === 'queued') break;
      now = end.until ?? now;
    }
    return run.record.steps.flatMap((state, place): RehearsedStep[] => {
      const step = run.workflow.steps[place];
      if (step === undefined) return [];
      return [{ step, state, witness: new StepWitness(), ...passed.get(state), ...effectsOf(run, state) }];
    });
  }

  /** Carries out the current step up to its end or its wait. */
  private async pass(task: StepTask): Promise<StepEnd> {
    const { run, step, state, now, recorder } = task;
    startStep(state, now);
    const outcome = await runStep(this.handlers, task, (message, err) => {
      this.logger.event('error', message, { ...idsOf(run.record), err, context: Rehearsal.name });
    });
    if (outcome.kind === 'busy') throw new RenderingIsBusy();
    run.effects.add(recorder);
    this.apply(run, step, outcome, now);
    if (outcome.kind === 'wait') return { until: outcome.until };
    if (outcome.kind === 'retry') return { until: outcome.at };
    if (outcome.kind !== 'gather') return {};
    run.entry = { slot: outcome.slot, until: outcome.until };
    return this.gather(task);
  }

  private async gather({ run, step, state, now, witness }: StepTask): Promise<StepEnd> {
    const gathering = await this.handlers.get(state.type)?.gathering?.rehearse(run, now);
    if (gathering === undefined) throw new Error('A step gathers without a gathering.');
    const { until, outcome, foreseen } = gathering;
    Object.assign(witness?.foreseen ?? {}, foreseen);
    if (outcome !== undefined) this.apply(run, step, outcome, until);
    return { until };
  }

  private apply({ record, effects }: Run, { shouldStopOnFail }: RunStep, outcome: StepOutcome, now: Date): void {
    const canceled = applyOutcome(record, outcome, { ...this.clock.context(now), shouldStopOnFail });
    effects.add({ details: detailsOfEnded(canceled, now) });
  }
}

function charactersIn(steps: readonly RehearsedStep[]): number {
  const contents = steps.flatMap(({ witness, messages }) => [
    ...witness.composed.map(({ message }) => (message.channel === 'email' ? message.html : message.content)),
    ...messages.map(({ content }) => (typeof content === 'string' ? content : '')),
  ]);
  return contents.reduce((sum, { length }) => sum + length, 0);
}

function effectsOf({ effects }: Run, { _id }: StepState): Pick<RehearsedStep, 'details' | 'messages'> {
  return {
    details: effects.details.filter(({ jobId }) => jobId.equals(_id)),
    messages: effects.messages.filter(({ _jobId }) => _jobId.equals(_id)),
  };
}

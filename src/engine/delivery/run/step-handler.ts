import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { NewDetail } from '../../execution-details/index.js';
import type { MessageActor, MessageCta } from '../../messages/index.js';
import type { StepState, StepType } from '../records/notification.js';
import type { RunStep, RunTemplate } from '../records/workflow-version.js';
import type { Run } from './run.js';
import type { StepReport } from './step-report.js';
import type { StepWitness } from './step-witness.js';

export interface StepTask {
  readonly run: Run;
  readonly step: RunStep;
  readonly state: Readonly<StepState>;
  readonly now: Date;
  /** It has waited for its due time, which has come. */
  readonly isResumed: boolean;
  /** Only in rehearsals. */
  readonly witness?: StepWitness;
}

/** The content of a message, before overrides of the event are applied to it. */
export interface StepContent {
  readonly subject?: string;
  readonly preheader?: string;
  readonly senderName?: string;
  readonly title?: string;
  /** HTML for emails and in-app messages, plain text for the other channels. */
  readonly content: string;
  /** The plain text of an email. */
  readonly text?: string;
  readonly cta?: MessageCta;
  readonly actor?: MessageActor;
}

export interface StepPreview {
  /** Of steps that send. */
  readonly content?: StepContent;
  /** Of steps that wait: when the wait ends. */
  readonly until?: Date;
  /** Warnings that the trail would hold. */
  readonly details: readonly NewDetail[];
}

/** Carries out the steps of one type. It changes nothing of the run: what follows is in its report. */
export interface StepHandler {
  readonly type: StepType;
  run(task: StepTask): Promise<StepReport>;
  /**
   * What the step comes to if it is carried out, whatever its conditions, the subscriber's preferences and addresses.
   * @param template the content of the step or of one of its variants
   * @throws {TemplateError} @throws {StepFailure} @throws {InvalidDelayError}
   */
  preview(task: StepTask, template: RunTemplate): Promise<StepPreview>;
  readonly gathering?: Gathering;
  /**
   * Judges the calls that an earlier holder of the run has begun, where the step is not carried on. Nobody is called.
   * @returns how the step ends
   */
  endInterrupted?(task: StepTask): Promise<StepReport>;
}

/** What the engine asks of steps at which runs wait together, such as digests. Called only with runs that have such a step. */
export interface Gathering {
  /** Restores in runs what earlier gatherings of theirs have collected. */
  recall(runs: readonly Run[]): Promise<void>;
  /**
   * Lets runs whose outcome was `gather` take part. Afterwards each is stored, waiting or over.
   * @returns those that were canceled at that moment: they are still leased, and the caller ends them
   */
  enter(runs: readonly Run[]): Promise<readonly Run[]>;
  /** Ends the wait of runs that lead a gathering and are due. @returns what to make of each of them */
  close(runs: readonly Run[]): Promise<ReadonlyMap<Run, StepReport | 'lost'>>;
  /** Takes runs that are about to be canceled out of what they lead or have joined. */
  leave(runs: readonly Run[]): Promise<Departures>;
  /** Does to a run that is not stored what `enter` would, and if it leads the gathering, what `close` would. */
  rehearse(run: Run, now: Date): Promise<RehearsedGathering>;
}

export interface RehearsedGathering {
  readonly until: Date;
  /** The run that leads the gathering now and would take this one in; absent where this one would lead. */
  readonly into?: Types.ObjectId;
  /** How many runs the gathering has so far, this one not counted. */
  readonly others: number;
  /** Ends the step of a run that leads, if nothing else comes until then. */
  readonly report?: StepReport;
}

/** What became of runs that left a gathering. The others are free to be canceled. */
export interface Departures {
  /** Their events were counted in already, so they end as merged. */
  readonly merged: ReadonlySet<Run>;
  readonly lost: ReadonlySet<Run>;
}

/** The handlers of deliveries. */
@Injectable()
export class StepHandlers {
  private readonly byType: ReadonlyMap<StepType, StepHandler>;

  constructor(handlers: readonly StepHandler[]) {
    this.byType = new Map(handlers.map((handler) => [handler.type, handler]));
  }

  get(type: StepType): StepHandler | undefined {
    return this.byType.get(type);
  }

  gatheringsOf(runs: readonly Run[]): [Gathering, Run[]][] {
    return [...this.byType.values()].flatMap(({ type, gathering }): [Gathering, Run[]][] => {
      if (gathering === undefined) return [];
      const own = runs.filter(({ record }) => record.steps.some((step) => step.type === type));
      return own.length > 0 ? [[gathering, own]] : [];
    });
  }
}

/** The same steps with collaborators that neither send nor store. */
@Injectable()
export class RehearsalHandlers extends StepHandlers {}

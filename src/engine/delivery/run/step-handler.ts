import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { OutboundMessage } from '#libs/channels';
import type { ConditionResult } from '#libs/conditions';
import type { MessageActor, MessageCta } from '../../messages/index.js';
import type { StepState, StepType } from '../records/notification.js';
import type { BudgetVerdict } from '../records/budget-places.js';
import type { ThrottleVerdict } from '../records/throttles.js';
import type { RunStep, RunTemplate } from '../records/workflow-version.js';
import type { Run } from './run.js';
import type { StepRecorder } from './step-recorder.js';
import type { StepOutcome, StepProgress } from './transitions.js';
import type { ActiveIntegration } from '../../../channels/integrations/index.js';
import type { ChannelDecision } from '../../../content/preferences/index.js';

export interface StepTask {
  readonly run: Run;
  readonly step: RunStep;
  readonly state: Readonly<StepState>;
  readonly now: Date;
  /** It has waited for its due time, which has come. */
  readonly isResumed: boolean;
  /** Takes everything that the step does besides its outcome. */
  readonly recorder: StepRecorder;
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
}

/** Carries out the steps of one type. It changes nothing of the run: what it did is in the recorder of its task. */
export interface StepHandler {
  readonly type: StepType;
  run(task: StepTask): Promise<StepOutcome>;
  /**
   * What the step comes to if it is carried out, whatever its conditions, the subscriber's preferences and addresses.
   * The recorder of the task gets the warnings that the trail would hold.
   * @param template the content of the step or of one of its variants
   * @throws {TemplateError} @throws {StepFailure} @throws {InvalidDelayError}
   */
  preview(task: StepTask, template: RunTemplate): Promise<StepPreview>;
  readonly gathering?: Gathering;
  /**
   * Judges the calls that an earlier holder of the run has begun, where the step is not carried on. Nobody is called.
   * @returns how the step ends
   */
  endInterrupted?(task: StepTask): Promise<StepOutcome>;
  /**
   * Reads what was decided about a step which an earlier holder has completed without writing it. Nothing is decided anew.
   * @returns what the decision changes of its state
   */
  recall?(task: StepTask): Promise<StepProgress>;
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
  /** Ends the wait of runs that lead a gathering and are due, or lengthens it. @returns what to make of each of them */
  close(runs: readonly Run[]): Promise<ReadonlyMap<Run, StepOutcome | 'lost'>>;
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
  /** Of the step of a run that leads, if nothing else comes until then. */
  readonly outcome?: StepOutcome;
}

/** What became of runs that left a gathering. The others are free to be canceled. */
export interface Departures {
  /** Their events were counted in already, so they end as merged. */
  readonly merged: ReadonlySet<Run>;
  readonly lost: ReadonlySet<Run>;
}

/** The handlers of deliveries. The rooms that have steps add them while the application is put together. */
@Injectable()
export class StepHandlers {
  private readonly byType = new Map<StepType, StepHandler>();

  add(handlers: readonly StepHandler[]): void {
    for (const handler of handlers) this.byType.set(handler.type, handler);
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

export interface ConsideredIntegration {
  readonly integration: ActiveIntegration;
  /** Absent: the integration has no conditions. */
  readonly conditions?: ConditionResult;
  readonly isChosen: boolean;
}

export interface ComposedMessage {
  readonly integration: ActiveIntegration;
  readonly message: OutboundMessage;
}

/**
 * Notes what decided about a step and what it would have sent, also where everything passed and the trail is silent. Only
 * rehearsals have one: a delivery pays one comparison.
 */
export class StepWitness {
  conditions?: ConditionResult;
  preference?: ChannelDecision;
  /** Whether the subscriber's schedule lets the message out; absent where it was not asked. */
  isScheduled?: boolean;
  budget?: BudgetVerdict;
  throttle?: ThrottleVerdict & { readonly threshold: number };
  wait?: { readonly event: string; readonly until: Date };
  /** Variants whose conditions were evaluated, in their order; at most the last one passed. */
  readonly variants: { readonly id: string; readonly name?: string; readonly conditions: ConditionResult }[] = [];
  readonly integrations: ConsideredIntegration[] = [];
  /** What providers would get, in the order in which it would be sent. */
  readonly composed: ComposedMessage[] = [];
}

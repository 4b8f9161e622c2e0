import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { OutboundMessage } from '#libs/channels';
import type { ConditionResult } from '#libs/conditions';
import type { MessageActor, MessageCta } from '../../messages/records/index.js';
import type { StepState, StepType } from '../records/notification.js';
import type { WaitOutcome } from '../records/step-state.js';
import type { BudgetVerdict } from '../records/budget-places.js';
import type { RunStep, RunTemplate } from '../records/workflow-version.js';
import type { Run } from './run.js';
import type { StepTypeDeclaration } from '#libs/plugins';
import type { StepRunner } from '../records/plugin-step.types.js';
import { CarriesOut } from './step.decorator.js';
import type { StepRecorder } from './step-recorder.js';
import type { StepOutcome, StepProgress } from './transitions.js';
import type { ActiveIntegration } from '../../../channels/integrations/index.js';
import type { ChannelDecision } from '../../../content/preferences/index.js';

/** A handler goes no further: what the step needs first could not be had, and how it ends or waits is decided. */
export class StepEnded extends Error {
  constructor(readonly outcome: StepOutcome) {
    super(`The step ended as '${outcome.kind}'.`);
    this.name = 'StepEnded';
  }
}

export interface StepTask {
  readonly run: Run;
  readonly step: RunStep;
  readonly state: Readonly<StepState>;
  readonly now: Date;
  /** It has waited for its due time, which has come. */
  readonly isResumed: boolean;
  /** Takes everything that the step does besides its outcome. */
  readonly recorder: StepRecorder;
  /** The step is only shown, whatever its workflow says of it. */
  readonly isPreview?: true;
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
  /** What the dry run shows of it. */
  readonly foreseen: Readonly<Record<string, unknown>>;
  /** Of the step of a run that would lead, if nothing else comes until then. */
  readonly outcome?: StepOutcome;
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
  private readonly byType = new Map<StepType, StepHandler>();

  /** @throws {Error} if the type has a handler already */
  add(type: StepType, handler: StepHandler): void {
    const known = this.byType.get(type);
    if (known !== undefined) {
      const both = `${known.constructor.name} and ${handler.constructor.name}`;
      throw new Error(`Two classes carry out steps of the type '${type}': ${both}. Remove one of them.`);
    }
    this.byType.set(type, handler);
  }

  get(type: StepType): StepHandler | undefined {
    return this.byType.get(type);
  }

  gatheringsOf(runs: readonly Run[]): [Gathering, Run[]][] {
    return [...this.byType].flatMap(([type, { gathering }]): [Gathering, Run[]][] => {
      if (gathering === undefined) return [];
      const own = runs.filter(({ record }) => record.steps.some((step) => step.type === type));
      return own.length > 0 ? [[gathering, own]] : [];
    });
  }
}

/** The same steps with collaborators that neither send nor store. */
@Injectable()
export class RehearsalHandlers extends StepHandlers {}

/** What carries out a type of step, and how it is declared. */
export interface FoundStep {
  readonly declaration: StepTypeDeclaration;
  readonly instance: StepHandler | StepRunner<unknown>;
}

/** Finds the instances of classes that carry out steps, by their decorator. */
@Injectable()
export class StepDiscovery {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @param module the one that provides them @returns without one, those of all modules */
  find(module?: Type): readonly FoundStep[] {
    const wrappers = this.discovery.getProviders(module && { include: [module] });
    return wrappers.flatMap((wrapper): FoundStep[] => {
      const declaration = this.discovery.getMetadataByDecorator(CarriesOut, wrapper);
      return declaration === undefined ? [] : [{ declaration, instance: wrapper.instance as FoundStep['instance'] }];
    });
  }
}

export function isHandler(instance: FoundStep['instance']): instance is StepHandler {
  return 'preview' in instance;
}

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

/** What a rehearsal takes to be so, because it does not come about in one. */
export interface RehearsalChoices {
  /** Whether the webhooks of conditions are asked; if not, a condition that needs one is undecided. Default: true. */
  readonly asksWebhooks?: boolean;
  /** What becomes of the events that steps wait for, by a key of the step. Default: they do not come. */
  readonly waits?: Readonly<Record<string, WaitOutcome>>;
}

/**
 * Notes what decided about a step and what it would have sent, also where everything passed and the trail is silent. Only
 * rehearsals have one: a delivery pays one comparison.
 */
export class StepWitness {
  constructor(readonly asked: RehearsalChoices = {}) {}

  conditions?: ConditionResult;
  preference?: ChannelDecision;
  /** Whether the subscriber's schedule lets the message out; absent where it was not asked. */
  isScheduled?: boolean;
  budget?: BudgetVerdict;
  /** What steps of a type show besides, as their declarations say. */
  readonly foreseen: Record<string, unknown> = {};
  /** Variants whose conditions were evaluated, in their order; at most the last one passed. */
  readonly variants: { readonly id: string; readonly name?: string; readonly conditions: ConditionResult }[] = [];
  readonly integrations: ConsideredIntegration[] = [];
  /** What providers would get, in the order in which it would be sent. */
  readonly composed: ComposedMessage[] = [];
}

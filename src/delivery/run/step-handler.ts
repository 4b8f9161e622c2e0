import { Injectable } from '@nestjs/common';
import type { StepState, StepType } from '../records/notification.js';
import type { RunStep } from '../records/workflow-version.js';
import type { Run } from './run.js';
import type { StepReport } from './step-report.js';

export interface StepTask {
  readonly run: Run;
  readonly step: RunStep;
  readonly state: Readonly<StepState>;
  readonly now: Date;
  /** It has waited for its due time, which has come. */
  readonly isResumed: boolean;
}

/** Carries out the steps of one type. It changes nothing of the run: what follows is in its report. */
export interface StepHandler {
  readonly type: StepType;
  run(task: StepTask): Promise<StepReport>;
  readonly gathering?: Gathering;
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
}

/** What became of runs that left a gathering. The others are free to be canceled. */
export interface Departures {
  /** Their events were counted in already, so they end as merged. */
  readonly merged: ReadonlySet<Run>;
  readonly lost: ReadonlySet<Run>;
}

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

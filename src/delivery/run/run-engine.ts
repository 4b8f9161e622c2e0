import { Injectable } from '@nestjs/common';
import { Turns } from '#libs/worker-pool';
import { Background, LeaseLost } from '#libs/work';
import { DETAIL } from '../../execution-details/index.js';
import type { Lane } from '../../notifications/index.js';
import { DigestParticipation } from '../digest/digest-participation.js';
import { ActiveRuns } from '../queues/active-runs.js';
import { OutcomeWriter, type WriteResult } from './outcome-writer.js';
import { RunCanceler } from './run-canceler.js';
import { type Run, workflowStep } from './run.js';
import { StepRunner } from './step-runner.js';
import { currentStep, queueIn, stateOf } from './transitions.js';

/**
 * Takes runs as far as they go now: steps that need only the store at once and in batches, steps that wait for others
 * outside each in its lane, and everything that has to wait back into the store.
 */
@Injectable()
export class RunEngine {
  constructor(
    private readonly steps: StepRunner,
    private readonly digests: DigestParticipation,
    private readonly canceler: RunCanceler,
    private readonly writer: OutcomeWriter,
    private readonly board: ActiveRuns,
    private readonly background: Background,
  ) {}

  /** Begins runs of recipients that were just found. Resolves when they are stored. */
  async begin(runs: readonly Run[]): Promise<void> {
    this.describeSteps(runs);
    await this.advance(runs);
  }

  /** Stores runs before their first step, to be claimed by anybody. */
  async enqueue(runs: readonly Run[]): Promise<void> {
    this.describeSteps(runs);
    const now = this.board.now();
    for (const run of runs) {
      const state = currentStep(run.record);
      const step = workflowStep(run);
      if (state === undefined || step === undefined) continue;
      run.effects.detail(state, DETAIL.stepQueued, now);
      queueIn(run.record, step.lane, now);
    }
    await Promise.all(runs.map((run) => this.writer.write(run)));
  }

  private describeSteps(runs: readonly Run[]): void {
    const now = this.board.now();
    for (const { record, effects } of runs) {
      for (const step of record.steps) effects.detail(step, DETAIL.stepCreated, now);
    }
  }

  /** Goes on with runs that were claimed; each has a place in its lane. Resolves when those of the store lane are done. */
  async resume(runs: readonly Run[]): Promise<void> {
    this.board.leases.began(runs.map(({ record }) => record));
    try {
      await this.digests.recall(runs);
    } catch (error) {
      for (const { record } of runs) this.board.release(record.lane ?? 'store', record._environmentId.toHexString());
      throw error;
    }
    const inStore = runs.filter(({ record }) => record.lane === 'store' || record.cancelRequested === true);
    for (const run of runs) {
      if (!inStore.includes(run)) this.runInLane(run, run.record.lane ?? 'store');
    }
    const places = inStore.map(({ record }) => [record.lane ?? 'store', record._environmentId.toHexString()] as const);
    try {
      await this.advance(inStore);
    } finally {
      for (const [lane, environmentId] of places) this.board.release(lane, environmentId);
    }
  }

  private async advance(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    this.board.begin(runs);
    try {
      const canceled = runs.filter(({ record }) => record.cancelRequested === true);
      await this.canceler.cancel(canceled);
      const active = runs.filter((run) => !canceled.includes(run));
      const lost = await this.digests.close(active);
      await this.settle(await this.throughStoreSteps(active.filter((run) => !lost.has(run))));
    } finally {
      this.board.end(runs);
    }
  }

  /** @returns those that are not waiting in a digest now */
  private async throughStoreSteps(runs: readonly Run[]): Promise<Run[]> {
    const turns = new Turns();
    for (const run of runs) await this.steps.runStoreSteps(run, turns);
    const entering = runs.filter(({ digestEntry }) => digestEntry !== undefined);
    if (entering.length === 0) return [...runs];
    await this.canceler.cancel(await this.digests.enter(entering));
    return runs.filter((run) => !entering.includes(run));
  }

  /** Writes where runs stand, and starts at once what has a place in its lane. */
  private async settle(runs: readonly Run[]): Promise<void> {
    const starting = new Map(runs.map((run) => [run, this.schedule(run)]));
    const writes = await Promise.allSettled(runs.map((run) => this.write(run, starting.get(run))));
    const results = writes.map((write) => (write.status === 'fulfilled' ? write.value : undefined));
    await this.canceler.cancel(runs.filter((_run, place) => results[place] === 'canceled'));
    const failure = writes.find((write) => write.status === 'rejected');
    if (failure) throw failure.reason;
  }

  /** @param lane in which it has a place: it goes on there when it is written, else the place is given back */
  private async write(run: Run, lane: Lane | undefined): Promise<WriteResult> {
    let result: WriteResult = 'lost';
    try {
      result = await this.writer.write(run);
      return result;
    } finally {
      if (lane !== undefined) {
        if (result === 'written') this.runInLane(run, lane);
        else this.board.release(lane, run.record._environmentId.toHexString());
      }
    }
  }

  /** Puts the run where it belongs. @returns the lane in which it goes on at once, if it does */
  private schedule(run: Run): Lane | undefined {
    const { record } = run;
    const state = currentStep(record);
    const step = workflowStep(run);
    if (state === undefined || step === undefined) return undefined;
    if (state.dueAt !== undefined) {
      record.lane = state.status === 'delayed' ? 'store' : step.lane;
      return undefined;
    }
    if (state.status === 'pending') run.effects.detail(state, DETAIL.stepQueued, this.board.now());
    if (this.board.tryTake(step.lane, record._environmentId.toHexString())) {
      state.status = 'running';
      this.board.holdLease(run, step.lane);
      return step.lane;
    }
    queueIn(record, step.lane, this.board.now());
    return undefined;
  }

  private runInLane(run: Run, lane: Lane): void {
    this.background.start(async () => {
      const before = stateOf(run.record);
      this.board.begin([run]);
      try {
        await this.carryOut(run, lane, before);
        await this.advanceFrom(run);
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error;
        await this.writer.abandon(run);
      } finally {
        this.board.end([run]);
      }
    });
  }

  private async carryOut(run: Run, lane: Lane, before: ReturnType<typeof stateOf>): Promise<void> {
    try {
      await this.board.leases.assertHeld(run);
      await this.steps.runCurrent(run);
    } finally {
      this.board.release(lane, run.record._environmentId.toHexString());
    }
    // What was sent is sent. A step that had only asked a webhook has not happened when it was called off meanwhile.
    if (this.goesOn(run, lane) && (await this.canceler.isCalledOff(run)) && lane === 'webhook') undo(run, before);
  }

  /** Whether there is anything left that a cancellation could stop, before what was done is written. */
  private goesOn({ record }: Run, lane: Lane): boolean {
    return lane === 'webhook' || currentStep(record)?.status === 'pending';
  }

  /** A step outside is done: the rest goes on as if it had just been claimed. */
  private async advanceFrom(run: Run): Promise<void> {
    if (run.digestEntry !== undefined) await this.canceler.cancel(await this.digests.enter([run]));
    else await this.advance([run]);
  }
}

function undo(run: Run, before: ReturnType<typeof stateOf>): void {
  Object.assign(run.record, before);
  delete run.digestEntry;
  run.effects.clear();
}

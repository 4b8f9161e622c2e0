import { Injectable } from '@nestjs/common';
import { FailPoint, storeFault } from '#libs/common';
import { Background, LeaseLost, type Turn } from '#libs/work';
import { Turns } from '#libs/worker-pool';
import { DETAIL } from '../../execution-details/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import type { Lane } from '../records/notification.js';
import { marksCalls, openCalls } from '../records/step-state.js';
import { RunCanceled } from './begun-calls.js';
import { RunCanceler } from './cancellation.js';
import { OutcomeWriter, type WriteResult } from './outcome-writer.js';
import { beginningOf, environmentOf, type Run, workflowStep } from './run.js';
import { type Gathering, StepHandlers } from './step-handler.js';
import { detailOf } from './step-recorder.js';
import { StepRunner } from './step-runner.js';
import {
  currentStep,
  holdIn,
  queueIn,
  requestCancellation,
  restoreState,
  type SavedState,
  saveState,
  waitIn,
} from './transitions.js';
import { WaitingWork } from './waiting-work.js';

/** Before claimed runs continue. */
export const RESUMING = new FailPoint<readonly Run[]>('run.resume');

/**
 * Takes runs as far as they go now: steps that need only the store at once and in batches, steps that call others each in
 * its lane, and everything that has to wait back into the store.
 */
@Injectable()
export class RunEngine {
  private readonly waiting = new WaitingWork<Run>(
    (runs) => this.canceler.canceledSince(runs),
    (error) => this.background.onError(error),
  );

  constructor(
    private readonly steps: StepRunner,
    private readonly handlers: StepHandlers,
    private readonly canceler: RunCanceler,
    private readonly writer: OutcomeWriter,
    private readonly queues: DeliveryQueues,
    private readonly background: Background,
  ) {}

  /** Begins new runs, or stores those whose time comes later. Resolves when they are stored. */
  async begin(runs: readonly Run[]): Promise<void> {
    const now = this.queues.now();
    const later = runs.filter((run) => isLater(run, now));
    if (later.length > 0) await this.enqueue(later);
    const begun = later.length === 0 ? runs : runs.filter((run) => !later.includes(run));
    this.describeSteps(begun);
    await this.inFlight(begun, () => this.advance(begun));
  }

  /** Stores new runs before their first step, for any worker to claim. */
  async enqueue(runs: readonly Run[]): Promise<void> {
    this.describeSteps(runs);
    const now = this.queues.now();
    for (const run of runs) {
      const state = currentStep(run.record);
      const step = workflowStep(run);
      if (state === undefined || step === undefined) continue;
      const at = isLater(run, now) ? beginningOf(run) : undefined;
      run.effects.add({ details: [detailOf(state, DETAIL.stepQueued, now, at && { raw: { until: at } })] });
      queueIn(run.record, step.lane, at ?? now);
    }
    await Promise.all(runs.map((run) => this.writer.write(run)));
  }

  private describeSteps(runs: readonly Run[]): void {
    const now = this.queues.now();
    for (const { record, effects } of runs) {
      effects.add({ details: record.steps.map((step) => detailOf(step, DETAIL.stepCreated, now)) });
    }
  }

  /** Continues claimed runs, each of which has a slot in its lane. Resolves when those of the store lane are done. */
  async resume(runs: readonly Run[]): Promise<void> {
    this.queues.leases.began(runs.map(({ record }) => record));
    try {
      await RESUMING.pass(runs);
      await this.steps.recall(runs);
      for (const [gathering, own] of this.handlers.gatheringsOf(runs)) await gathering.recall(own);
    } catch (error) {
      for (const { record } of runs)
        this.queues.lanes.release(record.lane ?? 'store', record._environmentId.toHexString());
      throw error;
    }
    const inStore = runs.filter((run) => run.record.lane === 'store' || run.record.cancelRequested === true);
    for (const run of runs) {
      if (!inStore.includes(run)) this.runInLane(run, run.record.lane ?? 'store');
    }
    const taken = inStore.map(({ record }) => [record.lane ?? 'store', record._environmentId.toHexString()] as const);
    try {
      await this.inFlight(inStore, () => this.advanceClaimed(inStore));
    } finally {
      for (const [lane, environmentId] of taken) this.queues.lanes.release(lane, environmentId);
    }
  }

  private async advanceClaimed(runs: readonly Run[]): Promise<void> {
    const canceled = runs.filter(({ record }) => record.cancelRequested === true);
    if (canceled.length > 0) await this.canceler.cancelClaimed(canceled);
    const { ready, waiting } = await this.closeGatherings(runs.filter((run) => !canceled.includes(run)));
    if (waiting.length > 0) await this.store(waiting);
    await this.advance(ready);
  }

  /** Takes runs through the steps that need only the store, and stores them with where they continue. */
  private async advance(runs: readonly Run[]): Promise<void> {
    if (runs.length > 0) await this.store(await this.throughStoreSteps(runs));
  }

  private async inFlight(runs: readonly Run[], work: () => Promise<void>): Promise<void> {
    this.queues.begin(runs);
    try {
      await work();
    } finally {
      this.queues.end(runs);
    }
  }

  /** Ends shared waits that are due. @returns the runs that this worker still holds; some go on waiting */
  private async closeGatherings(
    runs: readonly Run[],
  ): Promise<{ readonly ready: readonly Run[]; readonly waiting: readonly Run[] }> {
    const lost = new Set<Run>();
    const waiting: Run[] = [];
    for (const [gathering, own] of this.handlers.gatheringsOf(runs)) {
      for (const [run, outcome] of await gathering.close(own)) {
        if (outcome === 'lost') lost.add(run);
        else this.steps.finish(run, outcome);
        if (outcome !== 'lost' && outcome.kind === 'wait') waiting.push(run);
      }
    }
    return { ready: runs.filter((run) => !lost.has(run) && !waiting.includes(run)), waiting };
  }

  /** @returns those that this worker still holds and that do not wait in a gathering now */
  private async throughStoreSteps(runs: readonly Run[]): Promise<readonly Run[]> {
    const turns = new Turns();
    // Those that wait for the store do so at the same time.
    const asking = runs.filter(({ workflow }) => workflow.asksStore);
    for (const run of runs) if (!run.workflow.asksStore) await this.steps.runStoreSteps(run, turns);
    const lost = new Set<Run>();
    await Promise.all(
      asking.map(async (run) => {
        try {
          await this.steps.runStoreSteps(run, turns);
        } catch (error) {
          if (!(error instanceof LeaseLost)) throw error;
          lost.add(run);
          await this.writer.abandon(run);
        }
      }),
    );
    const entering = runs.filter((run) => run.entry !== undefined && !lost.has(run));
    if (entering.length > 0) await this.enter(entering);
    if (entering.length === 0 && lost.size === 0) return runs;
    return runs.filter((run) => !entering.includes(run) && !lost.has(run));
  }

  private async enter(runs: readonly Run[]): Promise<void> {
    const groups = new Map<Gathering, Run[]>();
    for (const run of runs) {
      const state = currentStep(run.record);
      const gathering = state && this.handlers.get(state.type)?.gathering;
      if (gathering === undefined) throw new Error('A run enters a gathering that its step does not have.');
      groups.set(gathering, [...(groups.get(gathering) ?? []), run]);
    }
    for (const [gathering, own] of groups) await this.canceler.cancel(await gathering.enter(own));
  }

  private async store(done: readonly Run[]): Promise<void> {
    const runs = await this.withoutCanceled(done);
    const lanes = runs.map((run) => this.schedule(run));
    const writes = await Promise.allSettled(
      runs.map((run, place) => {
        const lane = lanes[place];
        return lane === undefined ? this.writer.write(run) : this.write(run, lane);
      }),
    );
    const results = writes.map((write) => (write.status === 'fulfilled' ? write.value : undefined));
    await this.canceler.cancel(runs.filter((_run, place) => results[place] === 'canceled'));
    const failure = writes.find((write) => write.status === 'rejected');
    if (failure) throw failure.reason;
  }

  /**
   * What is stored here is delivered, so runs that were read long ago are looked for once more. Those that were canceled
   * are released as they were read, to be ended; new ones are stored as canceled.
   */
  private async withoutCanceled(runs: readonly Run[]): Promise<readonly Run[]> {
    const old = runs.filter(
      (run) => (!run.isStored || deliversHere(run)) && !continuesForOthers(run) && !this.canceler.wasSeenRecently(run),
    );
    if (old.length === 0) return runs;
    const canceled = await this.canceler.canceledSince(old);
    if (canceled.size === 0) return runs;
    const stored = [...canceled].filter(({ isStored }) => isStored);
    await this.canceler.cancelUnstored([...canceled].filter(({ isStored }) => !isStored));
    await Promise.all(stored.map((run) => this.writer.abandon(run)));
    await this.queues.notifications.release(stored.map(({ record: { _id }, lease }) => ({ _id, lease })));
    return runs.filter((run) => !canceled.has(run));
  }

  /** @param lane in which it has a slot: it continues there when it is written, else the slot is released */
  private async write(run: Run, lane: Lane): Promise<WriteResult> {
    let result: WriteResult = 'lost';
    try {
      result = await this.writer.write(run);
      return result;
    } finally {
      if (result === 'written') this.runInLane(run, lane);
      else this.queues.lanes.release(lane, run.record._environmentId.toHexString());
    }
  }

  /** Puts the run where it belongs. @returns the lane in which it continues at once, if it does */
  private schedule(run: Run): Lane | undefined {
    const { record } = run;
    const state = currentStep(record);
    const step = workflowStep(run);
    if (state === undefined || step === undefined) return undefined;
    if (state.dueAt !== undefined) {
      waitIn(record, step.lane);
      return undefined;
    }
    const now = this.queues.now();
    if (state.status === 'pending') run.effects.add({ details: [detailOf(state, DETAIL.stepQueued, now)] });
    if (this.queues.lanes.tryTake(step.lane, record._environmentId.toHexString())) {
      holdIn(record, step.lane, { lease: run.lease, now, until: this.queues.notifications.leaseEnd() });
      return step.lane;
    }
    queueIn(record, step.lane, now);
    return undefined;
  }

  private runInLane(run: Run, lane: Lane): void {
    this.background.start(() =>
      this.inFlight([run], async () => {
        const before = saveState(run.record);
        const { _id, _environmentId, _subscriberId } = run.record;
        const claim = { _id, _environmentId, _subscriberId, lease: run.lease };
        try {
          if (!(await this.runInTurn(run, lane, before))) await this.queues.notifications.release([claim]);
          else if (run.entry !== undefined) await this.enter([run]);
          else if (run.record.cancelRequested === true) await this.canceler.cancelClaimed([run]);
          else await this.advance([run]);
        } catch (error) {
          if (storeFault(error) !== undefined) this.queues.notifications.forgive([claim]);
          if (!(error instanceof LeaseLost)) throw error;
          await this.writer.abandon(run);
        }
      }),
    );
  }

  /** @returns false when the lane was closed before the turn of the run: nothing was done */
  private async runInTurn(run: Run, lane: Lane, before: SavedState): Promise<boolean> {
    const { lanes } = this.queues;
    const environmentId = environmentOf(run);
    try {
      const turn = await this.turnIn(lane, run);
      if (turn === 'closed') return false;
      if (turn === 'canceled') {
        requestCancellation(run.record);
        return true;
      }
      try {
        const hasWaited = turn === 'after_waiting' || !this.canceler.wasSeenRecently(run);
        if (hasWaited && !asksWhenItCalls(run, lane) && (await this.canceler.isCanceled(run))) return true;
        await this.queues.leases.assertHeld(run);
        await this.steps.runCurrent(run);
      } catch (error) {
        if (!(error instanceof RunCanceled)) throw error;
        undo(run, before);
        requestCancellation(run.record);
        return true;
      } finally {
        lanes.leave(lane, environmentId);
      }
    } finally {
      lanes.release(lane, environmentId);
    }
    // A sent message stays sent. A step that had only asked a webhook has not happened if it was canceled in between.
    if (this.canBeStopped(run, lane) && (await this.canceler.isCanceled(run)) && lane === 'webhook') undo(run, before);
    return true;
  }

  private async turnIn(lane: Lane, run: Run): Promise<Turn | 'canceled'> {
    const environmentId = environmentOf(run);
    const entering = this.queues.lanes.enter(lane, environmentId);
    const turn = await this.waiting.turnOf(run, entering);
    if (turn !== 'canceled') return turn;
    const leave = (late: Turn): void => {
      if (late !== 'closed') this.queues.lanes.leave(lane, environmentId);
    };
    void entering.then(leave);
    return turn;
  }

  private canBeStopped({ record }: Run, lane: Lane): boolean {
    return lane === 'webhook' || currentStep(record)?.status === 'pending';
  }
}

/** Whether it begins at a time that comes later. */
function isLater(run: Run, now: Date): boolean {
  const at = beginningOf(run);
  return at !== undefined && at > now;
}

/** What a provider has accepted is sent already. */
function deliversHere({ effects }: Run): boolean {
  return effects.messages.some(({ channel }) => channel === 'in_app');
}

/** The mark of its first call finds a cancellation, so that the store need not be asked before. */
function asksWhenItCalls({ record }: Run, lane: Lane): boolean {
  const step = currentStep(record);
  return marksCalls(lane) && step !== undefined && openCalls(step).length === 0;
}

/** Its own event is canceled already. */
function continuesForOthers({ record }: Run): boolean {
  return record.digestForOthers === true;
}

function undo(run: Run, before: SavedState): void {
  restoreState(run.record, before);
  delete run.entry;
  run.effects.clear();
}

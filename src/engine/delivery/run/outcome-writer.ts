import { setTimeout as pause } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { EventBus, FailPoint } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { isStoreUnavailable } from '#libs/persistence';
import { Batcher } from '#libs/work';
import {
  type DetailBatch,
  ExecutionDetailsService,
  extendTrail,
  type NewDetail,
} from '../../execution-details/index.js';
import { MessageStore, type NewMessage } from '../../messages/store/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { MessageFailed, RunsEnded } from '../records/delivery.events.js';
import { NotificationStore, type RefusedWrites } from '../records/notification.js';
import { EventRetention } from '../records/retention.js';
import { AttemptsEnded, type OwnAttempts } from './step-recorder.js';
import { ownerOf, type Run } from './run.js';
import { noteRun } from './run-telemetry.js';

/** Before anything of what a run has done is stored. */
export const RECORDING = new FailPoint<Run>('run.record');
/** After the messages of runs are stored, before their states. */
export const SETTLING = new FailPoint<readonly Run[]>('run.settle');

const BATCH = 1_000;
/** Fewer runs cost less together with those that end until the write before is over. */
const WORTH_ITS_OWN = 50;

export type WriteResult =
  | 'written'
  /** Another worker holds it now, or has created it already: nothing more may be done for it here. */
  | 'lost'
  /** The transaction was canceled, or the subscriber was deleted: the lease still holds, and nothing more may be done but to end it. */
  | 'canceled';

const REPUBLISH_AFTER_MS = 500;

/**
 * Publishes domain events after what they report was stored: a listener that fails must neither undo nor repeat it. While the
 * store is unavailable, listeners are called again, since the state that is written next says that they have been.
 */
@Injectable()
export class Announcer implements BeforeApplicationShutdown {
  private isEnding = false;

  constructor(
    private readonly events: EventBus,
    private readonly logger: AppLogger,
  ) {}

  /** All at once, so that a listener that writes can write them together. @throws a fault of the store at the end of the process */
  async publish(events: readonly object[]): Promise<void> {
    await Promise.all(events.map((event) => this.publishOne(event)));
  }

  beforeApplicationShutdown(): void {
    this.isEnding = true;
  }

  private async publishOne(event: object): Promise<void> {
    for (;;) {
      try {
        await this.events.publish(event);
        return;
      } catch (error) {
        this.logger.error(error, Announcer.name);
        if (!isStoreUnavailable(error)) return;
        if (this.isEnding) throw error;
        await pause(REPUBLISH_AFTER_MS);
      }
    }
  }
}

/**
 * Writes what runs have done: messages first, then the state with the details, so that a state never claims what is not
 * stored. Writes that come at the same time share their calls.
 */
@Injectable()
export class OutcomeWriter {
  private readonly batcher = new Batcher<Run, WriteResult>(
    (runs) => this.flush(runs),
    { size: BATCH, concurrency: 2, beside: WORTH_ITS_OWN },
    (error) => !isStoreUnavailable(error),
  );

  constructor(
    private readonly notifications: NotificationStore,
    private readonly messages: MessageStore,
    private readonly details: ExecutionDetailsService,
    private readonly announcer: Announcer,
    private readonly retention: EventRetention,
    private readonly queues: DeliveryQueues,
  ) {}

  /** Stores a run's effects and state. Its effects are empty afterwards. */
  async write(run: Run): Promise<WriteResult> {
    await RECORDING.pass(run);
    return this.batcher.submit(run);
  }

  /** Writes only the messages that providers accepted, of a run that another worker holds by now. */
  async abandon(run: Run): Promise<void> {
    const { record, effects } = run;
    effects.keepFacts();
    const { attempts } = effects;
    await this.storeEffects([run]);
    await this.announceAttempts([{ record, attempts }]);
    await this.retention.removeErased([record]);
  }

  /** Writes what runs have done whose states are written elsewhere. */
  async writeEffects(runs: readonly Run[]): Promise<void> {
    await this.storeEffects(runs);
    await this.announceEnds(runs);
    await this.retention.removeErased(runs.map(({ record }) => record));
  }

  private async storeEffects(runs: readonly Run[]): Promise<void> {
    const effects = runs.map((run) => run.effects);
    const [known] = await Promise.all([
      this.messages.insert(effects.flatMap(({ messages }) => messages)),
      this.details.append(runs.flatMap((run) => detailsOf(run, run.effects.details))),
    ]);
    // What was new is stored as it is now.
    const updates = effects.flatMap((effect) => effect.updates);
    await this.messages.updateOutcomes(updates.filter(({ messageId }) => known.has(messageId.toHexString())));
    const events = effects.flatMap((effect) => effect.events);
    for (const effect of effects) effect.clear();
    await this.announcer.publish(await this.asStored(events, known));
  }

  /**
   * What a worker has stored that died meanwhile stays sent, although this one could not know it when it judged the call: that is told.
   * @param known ids of messages that were stored already
   */
  private async asStored(events: readonly object[], known: ReadonlySet<string>): Promise<readonly object[]> {
    const isDoubtful = (event: object): event is MessageFailed =>
      event instanceof MessageFailed && known.has(event.messageId);
    const doubtful = events.filter(isDoubtful);
    if (doubtful.length === 0) return events;
    const accepted = await this.messages.acceptedAmong(doubtful);
    return events.map((event) => (isDoubtful(event) && accepted.has(event.messageId) ? event.asSent() : event));
  }

  private async flush(runs: Run[]): Promise<WriteResult[]> {
    const lost = await this.queues.leases.lostAmong(runs.filter(({ isStored }) => isStored));
    for (const { effects } of lost) effects.keepFacts();
    for (const { record, effects } of runs) {
      if (record.isTest === true) effects.details = effects.details.map((detail) => ({ ...detail, isTest: true }));
    }
    const held = runs.filter((run) => !lost.has(run));
    const facts = held.map((run) => ({
      run,
      details: run.isStored ? run.effects.factDetails() : [],
      updates: run.isStored ? run.effects.factUpdates() : [],
    }));
    const attempts = runs.map(({ effects }) => ({ all: effects.attempts, facts: effects.factAttempts() }));
    this.extendTrails(held);
    const delivered = held.map((run) => [run, run.effects.messages] as const);
    await this.storeEffects(runs);
    await SETTLING.pass(runs);
    const writtenAt = this.queues.now();
    const { doubled, refused } = await this.writeStates(held);
    const results = runs.map((run) => (lost.has(run) ? 'lost' : resultOf(run, doubled, refused)));
    const late = new Set(runs.filter((_run, place) => results[place] === 'lost'));
    const factsOfLate = facts.filter(({ run }) => late.has(run));
    await this.details.append(factsOfLate.flatMap(({ run, details }) => detailsOf(run, details)));
    await this.messages.updateOutcomes(factsOfLate.flatMap(({ updates }) => updates));
    await this.withdraw(delivered.filter(([run, messages]) => late.has(run) && messages.length > 0));
    const written = runs.filter((_run, place) => results[place] === 'written');
    for (const run of written) {
      run.seenAt = writtenAt;
      noteRun(run);
    }
    await this.announceAttempts(
      runs.map(({ record }, place) => ({
        record,
        attempts: attempts[place]?.[results[place] === 'written' ? 'all' : 'facts'] ?? [],
      })),
    );
    await this.announceEnds(written);
    const deleted = await this.retention.removeErased(runs.map(({ record }) => record));
    await this.retention.keep(written.flatMap((run) => (run.record.wakeAt ? [[run, run.record.wakeAt]] : [])));
    this.queues.leases.began(written.flatMap(({ record }) => (record.lease === undefined ? [] : [record])));
    if (deleted.size === 0) return results;
    return runs.map((run, place) => {
      const { status, lease, _subscriberId } = run.record;
      const goesOn = results[place] === 'written' && status === 'active' && lease !== undefined;
      if (!goesOn || !deleted.has(_subscriberId.toHexString())) return results[place] ?? 'lost';
      run.facts.isSubscriberDeleted = true;
      return 'canceled';
    });
  }

  /** The runs whose subscribers were deleted. */
  async ofDeleted(runs: readonly Run[]): Promise<Run[]> {
    const deleted = await this.retention.deletedAmong(runs.map(({ record }) => record));
    const lost = runs.filter(({ record }) => deleted.has(record._subscriberId.toHexString()));
    for (const { facts } of lost) facts.isSubscriberDeleted = true;
    return lost;
  }

  /**
   * Takes in-app messages back that this worker has stored after it had lost the lease, of steps that another one has ended without a
   * message meanwhile: somebody was told that they are not delivered.
   */
  private async withdraw(late: readonly (readonly [Run, readonly NewMessage[]])[]): Promise<void> {
    if (late.length === 0) return;
    const ended = await this.notifications.stepsWithoutMessage(late.map(([run]) => run));
    const untold = late.flatMap(([, messages]) =>
      messages.filter(({ channel, _jobId }) => channel === 'in_app' && ended.has(String(_jobId))),
    );
    await this.messages.withdraw(untold);
  }

  /** Where somebody waits for the end of the event. */
  private async announceEnds(runs: readonly Run[]): Promise<void> {
    const ended = runs.filter(({ record, event }) => record.status !== 'active' && event.lookForEndAt !== undefined);
    if (ended.length > 0) await this.announcer.publish([new RunsEnded([...new Set(ended.map(({ event }) => event))])]);
  }

  private async announceAttempts(runs: readonly OwnAttempts[]): Promise<void> {
    const own = runs.filter(({ attempts }) => attempts.length > 0);
    if (own.length > 0) await this.announcer.publish([new AttemptsEnded(own)]);
  }

  /** Moves details into the records, as far as there is room. */
  private extendTrails(runs: readonly Run[]): void {
    const now = this.queues.now();
    for (const { record, effects } of runs) effects.details = extendTrail(record, effects.details, now);
  }

  private async writeStates(
    runs: readonly Run[],
  ): Promise<{ readonly doubled: Doubled; readonly refused: RefusedWrites }> {
    const fresh = runs.filter(({ isStored }) => !isStored);
    const known = runs.filter(({ isStored }) => isStored);
    const [doubled, refused] = await Promise.all([
      this.notifications.insert(fresh.map(({ record }) => record)),
      this.notifications.save(
        known.map(({ record, lease }) => ({
          record,
          lease,
          // A finished run stays finished, and a run that continues for others cannot be canceled.
          evenIfCanceled: record.status !== 'active' || record.digestForOthers === true,
          into: record.status === 'merged' ? record.digestInto : undefined,
        })),
      ),
    ]);
    return { doubled, refused };
  }
}

type Doubled = ReadonlySet<Run['record']>;

function resultOf(run: Run, doubled: Doubled, refused: RefusedWrites): WriteResult {
  const { record } = run;
  if (run.isStored ? refused.lost.has(record) : doubled.has(record)) return 'lost';
  if (refused.canceled.has(record)) return 'canceled';
  run.isStored = true;
  run.hasNews = false;
  if (record.lease !== undefined) run.lease = record.lease;
  return 'written';
}

function detailsOf({ record, effects }: Run, entries: readonly NewDetail[]): DetailBatch[] {
  return entries.length === 0 ? [] : [{ ...ownerOf(record), id: effects.detailsId, entries }];
}

import { Injectable } from '@nestjs/common';
import { EventBus } from '#libs/events-bus';
import { AppLogger } from '#libs/http-kit';
import { isStoreAway } from '#libs/persistence';
import { type DetailBatch, ExecutionDetailsService } from '../../execution-details/index.js';
import { MessagesService } from '../../messages/index.js';
import { NotificationStore, type RefusedWrites } from '../../notifications/index.js';
import { Batcher } from '../work/batcher.js';
import { ownerOf } from './details-of.js';
import { EventRetention } from './event-retention.js';
import type { Run } from './run.js';

const BATCH = 1_000;

/** What became of one run's write. */
export type WriteResult =
  | 'written'
  /** Another worker has it now, or has made it already: leave it alone. */
  | 'lost'
  /** The transaction was canceled meanwhile: nothing of the state was written, the lease still holds. */
  | 'canceled';

/**
 * Writes what runs have done: messages and details first, then the state, so that a state never claims what is not
 * there. Writes that come at the same time go together (decisions 6.3).
 */
@Injectable()
export class OutcomeWriter {
  private readonly batcher = new Batcher<Run, WriteResult>(
    (runs) => this.flush(runs),
    { size: BATCH, concurrency: 2 },
    (error) => !isStoreAway(error),
  );

  constructor(
    private readonly notifications: NotificationStore,
    private readonly messages: MessagesService,
    private readonly details: ExecutionDetailsService,
    private readonly events: EventBus,
    private readonly retention: EventRetention,
    private readonly logger: AppLogger,
  ) {}

  /** Stores a run's effects and state. Its effects are empty afterwards. */
  write(run: Run): Promise<WriteResult> {
    return this.batcher.submit(run);
  }

  /** Stores only what runs have done besides their own state. */
  async writeEffects(runs: readonly Run[]): Promise<void> {
    const effects = runs.map((run) => run.effects);
    await Promise.all([
      this.messages.insertForEngine(effects.flatMap(({ messages }) => messages)),
      this.details.append(runs.filter((run) => run.effects.details.length > 0).map(detailsOf)),
    ]);
    await this.messages.updateOutcomes(effects.flatMap(({ outcomes }) => outcomes));
    const events = effects.flatMap((effect) => effect.events);
    for (const effect of effects) effect.clear();
    await this.publish(events);
  }

  private async flush(runs: Run[]): Promise<WriteResult[]> {
    await this.writeEffects(runs);
    const fresh = runs.filter(({ isStored }) => !isStored);
    const known = runs.filter(({ isStored }) => isStored);
    const [doubled, refused] = await Promise.all([
      this.notifications.insert(fresh.map(({ record }) => record)),
      this.notifications.save(
        known.map(({ record, lease }) => ({
          record,
          lease,
          // What is over is over: there is nothing left to call off.
          evenIfCanceled: record.status !== 'active',
        })),
      ),
    ]);
    await this.retention.keep(runs.flatMap((run) => (run.record.wakeAt ? [[run, run.record.wakeAt]] : [])));
    return runs.map((run) => settle(run, doubled, refused));
  }

  private async publish(events: readonly object[]): Promise<void> {
    // All at once, so that a listener that writes can write them together.
    await Promise.all(events.map((event) => this.tell(event)));
  }

  private async tell(event: object): Promise<void> {
    try {
      await this.events.publish(event);
    } catch (error) {
      // What happened is stored; a listener that fails must not undo or repeat it.
      this.logger.error(error, OutcomeWriter.name);
    }
  }
}

function settle(run: Run, doubled: ReadonlySet<string>, refused: RefusedWrites): WriteResult {
  const id = run.record._id.toHexString();
  if (run.isStored ? refused.lost.has(id) : doubled.has(id)) return 'lost';
  if (refused.canceled.has(id)) return 'canceled';
  run.isStored = true;
  if (run.record.lease !== undefined) run.lease = run.record.lease;
  return 'written';
}

function detailsOf({ record, effects }: Run): DetailBatch {
  return { ...ownerOf(record), id: effects.detailsId, entries: effects.details };
}

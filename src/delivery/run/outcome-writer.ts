import { Injectable } from '@nestjs/common';
import { isStoreAway } from '#libs/persistence';
import { Batcher, Leases } from '#libs/work';
import { type DetailBatch, ExecutionDetailsService } from '../../execution-details/index.js';
import { MessagesService } from '../../messages/index.js';
import { NotificationStore, type RefusedWrites } from '../../notifications/index.js';
import { Announcer } from './announcer.js';
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
 * there. Writes that come at the same time go together.
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
    private readonly announcer: Announcer,
    private readonly retention: EventRetention,
    private readonly leases: Leases,
  ) {}

  /** Stores a run's effects and state. Its effects are empty afterwards. */
  write(run: Run): Promise<WriteResult> {
    return this.batcher.submit(run);
  }

  /** Tells only what cannot be undone of a run that another worker has by now: what providers were given. */
  async abandon(run: Run): Promise<void> {
    run.effects.keepFacts();
    await this.writeEffects([run]);
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
    await this.announcer.publish(events);
  }

  private async flush(runs: Run[]): Promise<WriteResult[]> {
    const lost = await this.leases.lostAmong(runs.filter(({ isStored }) => isStored));
    for (const { effects } of lost) effects.keepFacts();
    await this.writeEffects(runs);
    const fresh = runs.filter(({ isStored }) => !isStored);
    const known = runs.filter((run) => run.isStored && !lost.has(run));
    const [doubled, refused] = await Promise.all([
      this.notifications.insert(fresh.map(({ record }) => record)),
      this.notifications.save(
        known.map(({ record, lease }) => ({
          record,
          lease,
          // What is over is over, and what goes on for others cannot be called off.
          evenIfCanceled: record.status !== 'active' || record.digestForOthers === true,
          into: record.status === 'merged' ? record.digestInto : undefined,
        })),
      ),
    ]);
    const results = runs.map((run) => (lost.has(run) ? 'lost' : settle(run, doubled, refused)));
    const written = runs.filter((_run, place) => results[place] === 'written');
    await this.retention.keep(written.flatMap((run) => (run.record.wakeAt ? [[run, run.record.wakeAt]] : [])));
    this.leases.began(written.flatMap(({ record }) => (record.lease === undefined ? [] : [record])));
    return results;
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

import { mongo } from 'mongoose';
import { Expander } from '../../src/engine/delivery/expansion/expander.js';
import type { RecipientPages } from '../../src/engine/delivery/expansion/recipient-pages.js';
import type { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';
import type { NotificationKey, NotificationStore } from '../../src/engine/delivery/records/notification.js';
import type {
  Checkpoint,
  TriggerEventRecord,
  TriggerEventStore,
} from '../../src/engine/delivery/records/trigger-event.js';
import { notificationIdFor, type Run } from '../../src/engine/delivery/run/run.js';
import type { RunEngine } from '../../src/engine/delivery/run/run-engine.js';
import type { RunLoader } from '../../src/engine/delivery/run/run-loader.js';
import type { ResolvedSubscriber } from '../../src/audience/subscribers/index.js';
import { repetitions } from '../harness/index.js';
import { Schedule, seeded } from '../support/schedules.js';

const RECIPIENTS = Array.from({ length: 13 }, (_, n) => ({ subscriberId: `s${n}` }) as ResolvedSubscriber);
const PAGE = 2;
const SCHEDULES = repetitions({ short: 50, long: 1_500 });
/** An expansion that needs more fails every time. */
const MAX_CLAIMS = 1_000;
const UNAVAILABLE = new Error('The store is unavailable.');

/** A large event whose pages are expanded in a chosen order, by workers that stall, lose their lease, die and are replaced. */
class Expansion {
  readonly event = {
    _id: new mongo.ObjectId(),
    recipients: { list: [], topics: [], everybody: true },
    status: 'expanding',
    checkpoint: { source: 0 },
    claims: 0,
    expanded: 0,
    lease: 'lease 0',
  } as unknown as TriggerEventRecord;
  /** Ids of the stored runs. */
  readonly stored = new Set<string>();
  readonly faults: string[] = [];
  readonly random: () => number;
  private readonly schedule: Schedule;
  private worker = -1;

  constructor(
    seed: number,
    private readonly isTopic: boolean,
  ) {
    this.random = seeded(seed);
    this.schedule = new Schedule(this.random);
  }

  async run(): Promise<void> {
    this.claim();
    for (let deaths = 0; this.event.status === 'expanding';) {
      if (await this.schedule.step()) {
        if (deaths > 6 || this.random() > 0.08) continue;
        deaths += 1;
        // A stalled worker continues later, without its lease.
        if (this.random() < 0.5) this.schedule.stalled.add(this.worker);
        else this.schedule.kill(this.worker);
      }
      this.claim();
    }
    this.schedule.stalled.clear();
    while (await this.schedule.step());
  }

  private claim(): void {
    this.worker += 1;
    if (this.worker > MAX_CLAIMS) throw new Error('The expansion does not end.');
    this.event.lease = `lease ${this.worker}`;
    this.event.claims = this.worker;
    const { worker } = this;
    // What fails is expanded again after its lease.
    this.expanderOf(worker)
      .expand([{ ...this.event }])
      .catch((error: unknown) => {
        if (error !== UNAVAILABLE) this.faults.push(String(error));
      });
  }

  private expanderOf(worker: number): Expander {
    const pause = (): Promise<void> => this.schedule.point(worker);
    const store = (runs: readonly Run[]): void => {
      for (const { record } of runs) this.stored.add(record._id.toHexString());
    };
    const pages = {
      read: async (_event: TriggerEventRecord, { after = 0 }: Checkpoint) => {
        await pause();
        const from = Number(after);
        const next = from + PAGE;
        // Members of two topics come twice.
        const recipients = RECIPIENTS.slice(this.isTopic ? Math.max(0, from - 1) : from, next);
        return {
          recipients,
          ...(next < RECIPIENTS.length && { next: { source: 0, after: next } }),
          mayRepeat: this.isTopic,
        };
      },
    };
    const loader = {
      factsOf: async (events: readonly TriggerEventRecord[]) => {
        await pause();
        return new Map(events.map((event) => [event._id.toHexString(), { event }]));
      },
      plan: (planned: readonly { facts: { event: TriggerEventRecord }; recipients: ResolvedSubscriber[] }[]) =>
        planned.flatMap(({ facts: { event }, recipients }) =>
          recipients.map(({ subscriberId }) => ({
            event,
            record: { _id: notificationIdFor(event._id, subscriberId), status: 'completed' },
          })),
        ),
      remember: () => undefined,
    };
    const engine = {
      begin: async (runs: readonly Run[]) => {
        if (runs.some(({ event }) => event.claims > 0)) this.faults.push('a repeated expansion began steps at once');
        await pause();
        store(runs);
        await pause();
        if (this.random() < 0.02) throw UNAVAILABLE;
      },
      enqueue: async (runs: readonly Run[]) => {
        await pause();
        store(runs);
        await pause();
      },
    };
    const notifications = {
      existing: async (records: readonly NotificationKey[]) => {
        await pause();
        return new Set(records.map(({ _id }) => _id.toHexString()).filter((id) => this.stored.has(id)));
      },
    };
    return new Expander(
      pages as unknown as RecipientPages,
      loader as unknown as RunLoader,
      engine as unknown as RunEngine,
      this.eventStoreOf(pause),
      notifications as unknown as NotificationStore,
      queues,
    );
  }

  private eventStoreOf(pause: () => Promise<void>): TriggerEventStore {
    const holds = ({ lease }: TriggerEventRecord): boolean =>
      lease === this.event.lease && this.event.status === 'expanding';
    const stored = {
      checkpoint: async (event: TriggerEventRecord, checkpoint: Checkpoint, expanded: number) => {
        await pause();
        if (!holds(event)) return false;
        this.assertStored(Number(checkpoint.after));
        Object.assign(this.event, { checkpoint, expanded });
        return true;
      },
      finish: async (events: readonly TriggerEventRecord[], counts: ReadonlyMap<string, number>) => {
        await pause();
        const held = events.filter(holds);
        for (const event of held) {
          this.assertStored(RECIPIENTS.length);
          Object.assign(this.event, { status: 'expanded', expanded: counts.get(event._id.toHexString()) });
        }
        return events.length - held.length;
      },
      findCanceled: () => Promise.resolve([]),
    };
    return stored as unknown as TriggerEventStore;
  }

  private assertStored(count: number): void {
    const ids = RECIPIENTS.slice(0, count).map(({ subscriberId }) => notificationIdFor(this.event._id, subscriberId));
    const missing = ids.filter((id) => !this.stored.has(id.toHexString()));
    if (missing.length > 0) this.faults.push(`${missing.length} runs before the checkpoint at ${count} are not stored`);
  }
}

const queues = {
  now: () => new Date(0),
  events: { leaseEnd: () => new Date(0) },
  notifications: { newLease: () => 'lease of runs' },
} as unknown as DeliveryQueues;

describe('the expansion of a large event, in any order of its writes', () => {
  it.each([
    ['all subscribers', false],
    ['topics with members in common', true],
  ])('should store each run once, and none after a checkpoint that counts it: %s', async (_name, isTopic) => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const expansion = new Expansion(seed, isTopic);
      await expansion.run();
      expect({ seed, faults: expansion.faults, runs: expansion.stored.size }).toEqual({
        seed,
        faults: [],
        runs: RECIPIENTS.length,
      });
      if (!isTopic) expect(expansion.event.expanded).toBe(RECIPIENTS.length);
    }
  });
});

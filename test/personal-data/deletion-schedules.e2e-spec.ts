import { mongo } from 'mongoose';
import type { Clock, EventBus, TenantContext } from '#libs/common';
import { Departures } from '../../src/engine/delivery/expansion/departures.js';
import type { Looks } from '../../src/engine/delivery/expansion/looks.js';
import type { RunCancellations } from '../../src/engine/delivery/expansion/run-cancellations.js';
import type { NotificationStore } from '../../src/engine/delivery/records/notification.js';
import type { TriggerEventStore } from '../../src/engine/delivery/records/trigger-event.js';
import type { EventsService, EventMarks } from '../../src/engine/events/events.service.js';
import type { TriggerEventDto } from '../../src/engine/events/index.js';
import { dueAt } from '../../src/engine/schedules/schedule.schema.js';
import { ScheduleErasure } from '../../src/engine/schedules/schedule-erasure.js';
import { ScheduleQueue } from '../../src/engine/schedules/schedule-queue.js';
import { ScheduleTrigger } from '../../src/engine/schedules/schedule-trigger.js';
import { ScheduleWorker } from '../../src/engine/schedules/schedule-worker.js';
import {
  DeletionEnding,
  DescribedSubscribers,
  Erasures,
  SubscriberDeleted,
  SubscriberNotFound,
  SubscribersService,
} from '../../src/audience/subscribers/index.js';
import { upsertOf } from '../../src/audience/subscribers/subscriber-writes.js';
import { repetitions } from '../harness/index.js';
import { MemoryCollection, MemoryDocuments } from '../support/memory-collection.js';
import { Schedule, seeded } from '../support/schedules.js';

const SCHEDULES = repetitions({ short: 700, long: 20_000 });
const MAX_STEPS = 20_000;
const ID = 'ann';
const tenant = {
  organizationId: new mongo.ObjectId().toHexString(),
  environmentId: new mongo.ObjectId().toHexString(),
  userId: '',
  apiKeyId: '',
} satisfies TenantContext;
const _environmentId = new mongo.ObjectId(tenant.environmentId);

type Doc = Record<string, unknown>;

/** What a client writes once the deletion is answered. */
const LATER = ['nothing', 'post', 'event', 'post and event', 'schedule', 'post and schedule'] as const;

/** A process with a clock of its own. */
interface Process {
  readonly number: number;
  readonly subscribers: MemoryCollection;
  readonly events: MemoryCollection;
  readonly schedules: MemoryCollection;
  readonly described: DescribedSubscribers;
  readonly service: SubscribersService;
  readonly occurrences: ScheduleWorker;
}

/**
 * A subscriber is deleted while workers trigger a schedule that names her, and expand events that do. Workers and the deletion stand
 * still, die and are repeated.
 */
class Deletion {
  readonly faults: string[] = [];
  readonly person = new mongo.ObjectId();
  /** The record ids of those whom each event has reached, by event. */
  readonly reached: { readonly isEarly: boolean; readonly id: string }[] = [];
  private readonly early = new Set<string>();
  private readonly random: () => number;
  private readonly schedule: Schedule;
  private readonly subscribers = new MemoryDocuments('subscriberId', (doc) => this.watch(doc));
  private readonly erasures = new MemoryDocuments();
  private readonly events = new MemoryDocuments('transactionId');
  private readonly schedules = new MemoryDocuments();
  /** The schedule of before. */
  private readonly former = new mongo.ObjectId();
  /** Workers by number, with the events that they hold. */
  private readonly holders = new Map<number, readonly string[]>();
  private deleter: number | undefined;
  private isQuiet = false;
  private processes = 0;
  private hasEnded = false;
  private isCalm = false;

  constructor(
    seed: number,
    private readonly later: (typeof LATER)[number],
  ) {
    this.random = seeded(seed);
    this.schedule = new Schedule(this.random);
    this.subscribers.put({
      _id: this.person,
      _environmentId,
      subscriberId: ID,
      firstName: 'before',
      deleted: false,
      channels: [],
    });
    this.schedules.put(this.newSchedule(this.former, [ID, 'bob']));
  }

  async run(): Promise<void> {
    void this.client().catch((error: unknown) => this.faults.push(String(error)));
    for (let steps = 0; ; steps += 1) {
      if (steps > MAX_STEPS) throw new Error('The deletion does not end.');
      if (this.random() < 0.3) this.claim();
      if (this.random() < 0.03) this.occur();
      const hasMoved = await this.schedule.step();
      if (!this.isCalm && this.random() < 0.06) this.disturb();
      if (hasMoved || this.claim()) continue;
      // Those who stand still go on, or others take over from them.
      const isStalled = this.schedule.stalled.size > 0;
      if ((isStalled && this.random() < 0.5) || !this.occur()) this.schedule.stalled.clear();
      if (!isStalled && this.hasEnded && this.isTriggered()) return;
    }
  }

  /** Those who have the id. */
  people(): Doc[] {
    return this.subscribers.plain().filter(({ subscriberId, deleted }) => subscriberId === ID && deleted === false);
  }

  /** Between the answer and what the client writes next. */
  private watch({ subscriberId, deleted }: Doc): void {
    if (this.isQuiet && subscriberId === ID && deleted === false) this.faults.push('the subscriber came back');
  }

  private async client(): Promise<void> {
    const own = this.open();
    const early = 1 + Math.floor(this.random() * 3);
    for (let n = 0; n < early; n += 1) await this.accept(own, true);
    await this.deleteOnce();
    if (this.people().length > 0) this.faults.push('the subscriber is there when the deletion is answered');
    this.isQuiet = true;
    for (let wait = Math.floor(this.random() * 12); wait > 0; wait -= 1) await this.schedule.point(own.number);
    this.isQuiet = false;
    if (this.later.startsWith('post')) {
      const { filter, update } = upsertOf(tenant, { subscriberId: ID, firstName: 'post' }, new Date());
      await own.subscribers.updateOne(filter, { ...update }, { upsert: true });
    }
    if (this.later.endsWith('event')) await this.accept(own, false);
    if (this.later.endsWith('schedule')) {
      await own.schedules.insertOne(this.newSchedule(new mongo.ObjectId(), [ID]));
    }
    this.isCalm = true;
    this.hasEnded = true;
  }

  /** Some events describe the subscriber, and some only name her. */
  private async accept({ events }: Process, isEarly: boolean): Promise<void> {
    const _id = new mongo.ObjectId();
    const described = isEarly ? { email: 'old@example.com', data: { n: this.random() } } : { firstName: 'event' };
    const entry = { subscriberId: ID, ...(!isEarly || this.random() < 0.7 ? described : {}) };
    if (isEarly) this.early.add(_id.toHexString());
    await events.insertOne(this.newEvent({ _id, transactionId: _id.toHexString(), list: [entry] }));
  }

  private newEvent({ list, ...event }: Doc): Doc {
    const createdAt = this.skewed();
    const due = { lane: 'expand', wakeAt: createdAt, dueSince: createdAt };
    return { ...event, _environmentId, recipients: { list }, ...due, createdAt };
  }

  private newSchedule(_id: mongo.ObjectId, subscribers: readonly string[]): Doc {
    const at = this.skewed();
    return {
      _id,
      _environmentId,
      _organizationId: new mongo.ObjectId(tenant.organizationId),
      __v: 0,
      deleted: false,
      workflow: 'report',
      subscribers,
      topics: [],
      payload: {},
      startAt: at,
      missed: 'run_once',
      status: 'active',
      by: {},
      ...dueAt(at),
    };
  }

  /** A request whose process dies is sent again. */
  private deleteOnce(): Promise<void> {
    return new Promise((resolve) => {
      let isAnswered = false;
      const begin = async (): Promise<void> => {
        const { number, service } = this.open();
        this.deleter = number;
        // What was killed may have been about to answer.
        await this.schedule.point(number);
        if (isAnswered) return;
        const end = (): void => {
          isAnswered = true;
          this.deleter = undefined;
          resolve();
        };
        service.remove(tenant, ID).then(end, (error: unknown) => {
          if (!(error instanceof SubscriberNotFound)) this.faults.push(String(error));
          end();
        });
      };
      this.restart = () => void begin();
      void begin();
    });
  }
  private restart: () => void = () => undefined;

  /** A worker takes up events that nobody holds. @returns whether there were any */
  private claim(): boolean {
    const held = new Set([...this.holders].flatMap(([number, ids]) => (this.isGone(number) ? [] : ids)));
    const free = this.events.plain().filter(({ _id, wakeAt }) => wakeAt !== undefined && !held.has(String(_id)));
    if (free.length === 0) return false;
    const process = this.open();
    const taken = free.slice(0, 1 + Math.floor(this.random() * 2));
    this.holders.set(
      process.number,
      taken.map(({ _id }) => String(_id)),
    );
    for (const event of taken) this.events.put({ ...event, lease: process.number });
    // What fails is expanded again after its lease.
    this.expand(process, taken).then(
      () => this.holders.delete(process.number),
      () => this.holders.delete(process.number),
    );
    return true;
  }

  /** A worker takes up a schedule. @returns whether there is any to take up */
  private occur(): boolean {
    if (this.isTriggered()) return false;
    const { number, occurrences } = this.open();
    this.holders.set(number, []);
    const end = (): unknown => this.holders.delete(number);
    // What fails is triggered again after its lease.
    occurrences
      .claim()
      .then((rows) => occurrences.carryOut(rows))
      .then(end, end);
    return true;
  }

  /** The schedules have no occurrence left. */
  private isTriggered(): boolean {
    return this.schedules.plain().every(({ wakeAt }) => wakeAt === undefined);
  }

  /** As far as the recipients of an event of a schedule go. */
  private async triggerAt(
    events: MemoryCollection,
    { transactionId: given, to }: TriggerEventDto,
    { deletionsBefore }: EventMarks,
  ): Promise<{ status: string }> {
    const _id = new mongo.ObjectId();
    const transactionId = String(given);
    if (transactionId.includes(this.former.toHexString())) this.early.add(_id.toHexString());
    const list = to.recipients.list.map(({ subscriberId }) => ({ subscriberId }));
    try {
      await events.insertOne(this.newEvent({ _id, transactionId, list, deletionsBefore }));
    } catch (error) {
      if ((error as { code?: number }).code !== 11000) throw error;
    }
    return { status: 'processed' };
  }

  private async expand({ number, described, events }: Process, taken: readonly Doc[]): Promise<void> {
    const descriptions = taken.flatMap(({ _id, recipients, deletionsBefore }) => {
      const { list } = recipients as { list: { subscriberId: string }[] };
      const definition = list.find(({ subscriberId }) => subscriberId === ID);
      const event = { by: _id as mongo.ObjectId, deletionsBefore: deletionsBefore as mongo.ObjectId[] | undefined };
      return definition === undefined ? [] : [{ ...event, definition }];
    });
    const { subscribers, refused } = await described.apply(tenant, descriptions, async (ids) => {
      const held = await events.find({ _id: { $in: ids }, wakeAt: { $exists: true }, lease: number }).toArray();
      return new Set(held.map(({ _id }) => String(_id)));
    });
    for (const { by } of descriptions) {
      const found = subscribers.get(ID);
      if (found === undefined || refused.has({ eventId: by, subscriberId: ID })) continue;
      this.reached.push({ isEarly: this.early.has(by.toHexString()), id: found._id });
    }
    for (const { _id } of taken) await events.updateOne({ _id, lease: number }, { $unset: { wakeAt: 1 } });
  }

  private isGone(number: number): boolean {
    return this.schedule.stalled.has(number);
  }

  private disturb(): void {
    const workers = [...this.holders.keys()].filter((number) => !this.isGone(number));
    const victims = [...workers, ...(this.deleter === undefined ? [] : [this.deleter])];
    const victim = victims[Math.floor(this.random() * victims.length)];
    if (victim === undefined) return;
    const dies = this.random() < 0.5;
    if (victim === this.deleter) {
      if (!dies) this.schedule.stalled.add(victim);
      else {
        this.schedule.kill(victim);
        this.restart();
      }
    } else if (dies) {
      this.schedule.kill(victim);
      this.holders.delete(victim);
    } else this.schedule.stalled.add(victim);
  }

  private skewed(): Date {
    return new Date(1_700_000_000_000 + Math.floor((this.random() - 0.5) * 7_200_000));
  }

  private open(): Process {
    const number = this.processes++;
    const yields = (): Promise<void> => this.schedule.point(number);
    const clock: Clock = { now: () => this.skewed() };
    const subscribers = new MemoryCollection(this.subscribers, yields);
    const events = new MemoryCollection(this.events, yields);
    const schedules = new MemoryCollection(this.schedules, yields);
    const collections: Record<string, MemoryCollection> = {
      subscribers,
      erasures: new MemoryCollection(this.erasures, yields),
      triggerEvents: events,
    };
    const connection = { db: { collection: (name: string) => collections[name] } };
    const alive = (where: Doc): Doc => ({ ...where, _environmentId, deleted: false });
    const model = {
      collection: subscribers,
      list: (_owner: unknown, where: Doc) => subscribers.find(alive(where)).toArray(),
      one: async (_owner: unknown, where: Doc) => (await subscribers.findOne(alive(where))) ?? undefined,
      deleteOne: ({ _id }: Doc) => subscribers.deleteOne({ _id }),
    };
    const summaries = { forget: () => undefined };
    const erasures = new Erasures(connection as never, clock);
    const nothing = { publish: () => Promise.resolve() } as unknown as EventBus;
    const described = new DescribedSubscribers(model as never, summaries as never, erasures, nothing, clock);
    const departures = new Departures(
      { collection: events } as unknown as TriggerEventStore,
      {} as NotificationStore,
      described,
      erasures,
      { requestAndWait: yields } as unknown as RunCancellations,
      { begin: () => 0 } as unknown as Looks,
    );
    const ofSchedules = { collection: schedules } as never;
    const schedule = new ScheduleErasure(ofSchedules);
    const bus = {
      publish: (event: object) => {
        if (event instanceof DeletionEnding) return departures.onDeletionEnding(event);
        return event instanceof SubscriberDeleted ? schedule.subscriberDeleted(event) : yields();
      },
    } as unknown as EventBus;
    const service = new SubscribersService(model as never, {} as never, summaries as never, {} as never, bus, erasures);
    const occurrences = this.scheduleWorker({ events, erasures, clock, ofSchedules });
    return { number, subscribers, events, schedules, described, service, occurrences };
  }

  private scheduleWorker({
    events,
    erasures,
    clock,
    ofSchedules,
  }: {
    readonly events: MemoryCollection;
    readonly erasures: Erasures;
    readonly clock: Clock;
    readonly ofSchedules: never;
  }): ScheduleWorker {
    // Leases that end at once: a schedule may be in the hands of several workers.
    const config = { get: () => 0 } as never;
    const service = {
      triggerAt: (_caller: unknown, event: TriggerEventDto, marks: EventMarks) => this.triggerAt(events, event, marks),
    } as unknown as EventsService;
    const trigger = new ScheduleTrigger(service, {} as never, erasures, ofSchedules);
    const logger = { error: (error: unknown) => this.faults.push(String(error)) } as never;
    return new ScheduleWorker(
      ofSchedules,
      new ScheduleQueue(ofSchedules, clock, config),
      trigger,
      clock,
      config,
      logger,
    );
  }
}

const NAMES: Record<(typeof LATER)[number], (string | undefined)[]> = {
  nothing: [],
  post: ['post'],
  event: ['event'],
  'post and event': ['event'],
  schedule: [undefined],
  'post and schedule': ['post'],
};

describe('the deletion of a subscriber whom events and a schedule name, in any order of the writes', () => {
  it.each(LATER)('should be final, and be followed by what comes after it: %s', async (later) => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const deletion = new Deletion(seed, later);
      await deletion.run();
      const people = deletion.people();
      const [only] = people;
      const late = deletion.reached.filter(({ isEarly }) => !isEarly);
      expect({
        seed,
        faults: deletion.faults,
        names: people.map(({ firstName }) => firstName),
        emails: people.map(({ email }) => email),
        strangers: deletion.reached.filter(({ isEarly, id }) => isEarly && id === String(only?.['_id'])),
        missed: /event|schedule/.test(later) && !late.some(({ id }) => id === String(only?.['_id'])),
      }).toEqual({
        seed,
        faults: [],
        names: NAMES[later],
        emails: people.map(() => undefined),
        strangers: [],
        missed: false,
      });
    }
  });
});

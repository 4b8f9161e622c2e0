import { type Connection, Types } from 'mongoose';
import { ManualClock, storeFault } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Background, type WakeUps } from '#libs/work';
import type { CanceledEvents } from '../../src/engine/delivery/expansion/canceled-events.js';
import { Expander } from '../../src/engine/delivery/expansion/expander.js';
import type { ReadAhead } from '../../src/engine/delivery/expansion/read-ahead.js';
import type { RecipientPages } from '../../src/engine/delivery/expansion/recipient-pages.js';
import { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';
import { type NotificationRecord, NotificationStore } from '../../src/engine/delivery/records/notification.js';
import { type NewEvent, TriggerEventStore } from '../../src/engine/delivery/records/trigger-event.js';
import { WorkflowSnapshots } from '../../src/engine/delivery/records/workflow-version.js';
import type { InterruptedRuns } from '../../src/engine/delivery/run/interrupted-runs.js';
import type { AbandonedEvents, LostRun, LostRuns } from '../../src/engine/delivery/run/lost-runs.js';
import type { Run } from '../../src/engine/delivery/run/run.js';
import type { RunEngine } from '../../src/engine/delivery/run/run-engine.js';
import { EventFactsReader, RunLoader } from '../../src/engine/delivery/run/run-loader.js';
import { RunWork } from '../../src/engine/delivery/worker/delivery-worker.js';
import { EventInserts } from '../../src/engine/delivery/event-intake.js';
import { EventWork } from '../../src/engine/delivery/worker/event-work.js';
import type { ExecutionDetailsService } from '../../src/engine/execution-details/index.js';
import type { BrandingsService } from '../../src/platform/organizations/index.js';
import type { RecipientLinks } from '../../src/platform/recipient-links/index.js';
import type { IntegrationsService } from '../../src/channels/integrations/index.js';
import type { PreferencesService } from '../../src/content/preferences/index.js';
import { RefusedNamings, type SubscribersService } from '../../src/audience/subscribers/index.js';
import type { TenantsService } from '../../src/audience/tenants/index.js';
import type { ResolvedWorkflow } from '../../src/content/workflows/index.js';
import type { WorkflowOverridesService } from '../../src/content/workflow-overrides/index.js';
import { repetitions } from '../harness/index.js';
import { JournaledStore } from '../support/journaled-store.js';
import { Schedule, seeded } from '../support/schedules.js';

const LEASE_MS = 1_000;
const PROCESSES = 3;
const EVENTS = 6;
const VERSIONS = 3;
const ACTIONS = 120;

const config = AppConfig.from({ DELIVERY_LEASE_MS: String(LEASE_MS), DELIVERY_MAX_CLAIMS: '100' });
const environmentId = new Types.ObjectId();
const owner = { _environmentId: environmentId, _organizationId: new Types.ObjectId() };
const ann = { _id: new Types.ObjectId().toHexString(), subscriberId: 'ann', channels: [], badAddresses: {} };
const workflowId = new Types.ObjectId().toHexString();

function workflowOf(version: number): ResolvedWorkflow {
  const steps = [
    { id: new Types.ObjectId().toHexString(), active: true, template: { type: 'in_app' }, filters: [], variants: [] },
  ];
  return { id: workflowId, version, critical: true, tags: [], steps } as unknown as ResolvedWorkflow;
}

/** One process: it accepts events, expands them, and loads the runs that it claims. */
class Process {
  private readonly snapshots: WorkflowSnapshots;
  private readonly queues: DeliveryQueues;
  private readonly loader: RunLoader;
  private readonly notifications: NotificationStore;
  private readonly work: EventWork;
  private readonly runs: RunWork;
  private readonly inserts: EventInserts;

  constructor(
    store: JournaledStore,
    clock: ManualClock,
    pause: () => Promise<void>,
    onLost: (runs: readonly LostRun[]) => void,
    onError: (error: unknown) => void,
  ) {
    const connection = store.connection(pause) as unknown as Connection;
    const events = new TriggerEventStore(connection, config);
    this.notifications = new NotificationStore(connection, {
      readTrailsFrom: () => undefined,
    } as unknown as ExecutionDetailsService);
    this.snapshots = new WorkflowSnapshots(connection, clock, config);
    this.queues = new DeliveryQueues(clock, events, this.notifications, config);
    const subscribers = {
      findByIds: async () => {
        await pause();
        return new Map([[ann._id, ann]]);
      },
    } as unknown as SubscribersService;
    const facts = new EventFactsReader(
      this.snapshots,
      {} as TenantsService,
      subscribers,
      {} as WorkflowOverridesService,
      { of: () => Promise.resolve({}) } as unknown as BrandingsService,
      { at: () => undefined } as Partial<RecipientLinks> as RecipientLinks,
    );
    const none = {} as PreferencesService;
    this.loader = new RunLoader(events, facts, subscribers, none, {} as IntegrationsService, this.queues);
    const pages: Pick<RecipientPages, 'readAhead' | 'resolve'> = {
      readAhead: () => Promise.resolve(undefined),
      resolve: async () => {
        await pause();
        return { subscribers: new Map([['ann', ann]]), refused: new RefusedNamings() };
      },
    };
    const insert = (runs: readonly Run[]): Promise<unknown> => this.insert(runs);
    const resume = (runs: readonly Run[]): Promise<void> => this.complete(runs);
    const engine = { begin: insert, enqueue: insert, resume } as unknown as RunEngine;
    const expander = new Expander(
      pages as RecipientPages,
      this.loader,
      engine,
      events,
      this.notifications,
      this.queues,
    );
    const background = new Background(onError);
    const nobody = { among: () => Promise.resolve([]) } as unknown as CanceledEvents;
    this.work = new EventWork(expander, nobody, {} as AbandonedEvents, this.queues, background);
    this.work.open(() => undefined);
    const lost = { end: (runs: readonly LostRun[]) => Promise.resolve(onLost(runs)) } as unknown as LostRuns;
    this.runs = new RunWork(this.loader, engine, lost, {} as InterruptedRuns, this.queues, background);
    const ahead = { begin: () => undefined } as unknown as ReadAhead;
    this.inserts = new EventInserts(events, this.queues, this.work, ahead, {
      notify: () => undefined,
    } as unknown as WakeUps);
  }

  /** Resolves when the trigger is acknowledged. */
  async accept(transactionId: string, workflow: ResolvedWorkflow): Promise<void> {
    const { snapshotId } = await this.snapshots.keep(workflow);
    const event = {
      _id: new Types.ObjectId(),
      ...owner,
      _userId: owner._organizationId,
      _apiKeyId: owner._organizationId,
      transactionId,
      _templateId: new Types.ObjectId(workflowId),
      snapshotId,
      name: 'w',
      recipients: { list: [{ subscriberId: 'ann' }], topics: [] },
      payload: {},
      overrides: {},
    } as NewEvent;
    await this.inserts.insert(event);
  }

  expandDue(): Promise<number> {
    return this.work.claimed.claim();
  }

  /** Runs that cannot be carried out are told to `onLost`. */
  loadDue(): Promise<number> {
    return this.runs.claimed.claim();
  }

  private async complete(runs: readonly Run[]): Promise<void> {
    const update = { $set: { status: 'completed' }, $unset: { wakeAt: 1, lease: 1, dueSince: 1, suspectGroup: 1 } };
    try {
      await this.queues.notifications.save(runs.map(({ record }) => ({ record, update })));
    } finally {
      for (const { record } of runs) this.queues.lanes.release('store', record._environmentId.toHexString());
    }
  }

  /** Every run has to be loaded again, by whoever claims it. */
  private async insert(runs: readonly Run[]): Promise<void> {
    const now = this.queues.now();
    await this.notifications.insert(
      runs.map(({ record }) => ({ ...record, lane: 'store', wakeAt: now, dueSince: now })),
    );
  }
}

/** Processes that share a store which dies, again and again; each does its next step when it is its turn. */
class Play {
  readonly faults: string[] = [];
  readonly acknowledged = new Set<string>();
  private readonly store: JournaledStore;
  private readonly clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  private readonly random: () => number;
  private readonly schedule: Schedule;
  private readonly processes = new Map<number, Process>();
  private readonly workflows = Array.from({ length: VERSIONS }, (_, version) => workflowOf(version));
  private events = 0;
  private started = 0;

  constructor(seed: number, isJournaled: boolean) {
    this.random = seeded(seed);
    this.schedule = new Schedule(this.random);
    this.store = new JournaledStore(isJournaled, { triggerEvents: 'transactionId' });
    for (let n = 0; n < PROCESSES; n += 1) this.start();
  }

  async run(): Promise<void> {
    for (let action = 0; action < ACTIONS;) {
      if (this.random() < 0.75 && (await this.schedule.step())) continue;
      this.act();
      action += 1;
    }
    await this.settle();
    this.compare();
  }

  private act(): void {
    const dice = this.random();
    if (dice < 0.15) this.trigger();
    else if (dice < 0.35) this.inHand(this.someone().expandDue());
    else if (dice < 0.5) this.inHand(this.someone().loadDue());
    else if (dice < 0.75) this.store.flush();
    else if (dice < 0.85) this.store.crash(this.random());
    else if (dice < 0.95) this.clock.advance(Math.floor(this.random() * 1.2 * LEASE_MS));
    else this.replace();
  }

  private trigger(): void {
    if (this.events >= EVENTS) return;
    const transactionId = `t${(this.events += 1)}`;
    const workflow = this.workflows[Math.floor(this.random() * VERSIONS)] ?? workflowOf(0);
    const accepted = this.someone().accept(transactionId, workflow);
    this.inHand(accepted.then(() => this.acknowledged.add(transactionId)));
  }

  private start(): void {
    const id = this.started++;
    const pause = (): Promise<void> => this.schedule.point(id);
    const onLost = (runs: readonly LostRun[]): void => {
      this.faults.push(...runs.map(({ record, reason }) => `${record.transactionId}: ${reason}`));
    };
    this.processes.set(id, new Process(this.store, this.clock, pause, onLost, this.onError));
  }

  private replace(): void {
    const id = this.someId();
    this.schedule.kill(id);
    this.processes.delete(id);
    this.start();
  }

  private someId(): number {
    const ids = [...this.processes.keys()];
    return ids[Math.floor(this.random() * ids.length)] ?? 0;
  }

  private someone(): Process {
    const found = this.processes.get(this.someId());
    if (found === undefined) throw new Error('No process runs.');
    return found;
  }

  private inHand(work: Promise<unknown>): void {
    work.catch(this.onError);
  }

  /** What a store that dies interrupts is done again after its lease. Nothing else may fail. */
  private readonly onError = (error: unknown): void => {
    if (storeFault(error) === undefined) this.faults.push(String(error));
  };

  private async rest(): Promise<void> {
    do this.store.flush();
    while (await this.schedule.step());
  }

  private async settle(): Promise<void> {
    for (let round = 0; round < 100; round += 1) {
      await this.rest();
      const rows = [...this.store.rows('triggerEvents'), ...this.store.rows('notifications')];
      if (rows.every((row) => row['wakeAt'] === undefined) || this.faults.length > 0) return;
      this.clock.advance(LEASE_MS + 1);
      this.inHand(this.someone().expandDue());
      this.inHand(this.someone().loadDue());
    }
    this.faults.push('an event that does not come to an end');
  }

  private compare(): void {
    const runs = this.store.rows('notifications') as unknown as NotificationRecord[];
    const events = this.store.rows('triggerEvents');
    const kept = new Set(events.map(({ _id }) => String(_id)));
    const versions = new Set(this.store.rows('workflowSnapshots').map(({ _id }) => String(_id)));
    for (const { _eventId, transactionId } of runs)
      if (!kept.has(_eventId.toHexString())) this.faults.push(`${transactionId}: a run without its event`);
    for (const { transactionId, snapshotId } of events)
      if (!versions.has(String(snapshotId))) this.faults.push(`${String(transactionId)}: an event without its version`);
    const told = new Set(runs.map(({ transactionId }) => transactionId));
    for (const id of this.acknowledged) if (!told.has(id)) this.faults.push(`${id}: acknowledged and lost`);
  }
}

async function faultsOf(seeds: number, isJournaled: boolean): Promise<{ faults: string[]; acknowledged: number }> {
  const faults: string[] = [];
  let acknowledged = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const play = new Play(seed, isJournaled);
    await play.run();
    acknowledged += play.acknowledged.size;
    faults.push(...play.faults.map((fault) => `seed ${seed}: ${fault}`));
  }
  return { faults, acknowledged };
}

describe('a store that dies and loses its last writes', () => {
  it('should never leave a notification without its event or its workflow version, nor lose what was acknowledged', async () => {
    const seeds = repetitions({ short: 150, long: 3_000 });
    const { faults, acknowledged } = await faultsOf(seeds, true);
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(seeds);
  });

  it('should do all of that if it answered writes before they are on disk: the schedules reach these faults', async () => {
    const { faults } = await faultsOf(60, false);
    for (const fault of [/event_missing/, /workflow_version_missing|without its version/, /acknowledged and lost/])
      expect(faults).toContainEqual(expect.stringMatching(fault));
  });
});

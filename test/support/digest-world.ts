import { type Connection, type mongo, Types } from 'mongoose';
import { type EventBus, ManualClock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { AppLogger } from '#libs/http-kit';
import type { WeeklySchedule } from '#libs/schedule';
import { Background, type WakeUps } from '#libs/work';
import { AwaitingRuns } from '../../src/engine/delivery/actions/awaiting-runs.js';
import { DigestCollector } from '../../src/engine/delivery/digest/digest-collector.js';
import { DigestExtensions } from '../../src/engine/delivery/digest/digest-extensions.js';
import { DigestLedger } from '../../src/engine/delivery/digest/digest-ledger.js';
import { DigestGathering } from '../../src/engine/delivery/digest/digest.step.js';
import { DigestSuccession } from '../../src/engine/delivery/digest/digest-succession.js';
import type { Looks } from '../../src/engine/delivery/expansion/looks.js';
import { MarkedRuns } from '../../src/engine/delivery/expansion/marked-runs.js';
import { ownRunsOf, RunCancellations } from '../../src/engine/delivery/expansion/run-cancellations.js';
import { openCalls } from '../../src/engine/delivery/records/step-state.js';
import { BegunCalls } from '../../src/engine/delivery/run/begun-calls.js';
import { InterruptedRuns } from '../../src/engine/delivery/run/interrupted-runs.js';
import type { LoadedRuns, RunLoader } from '../../src/engine/delivery/run/run-loader.js';
import type { EventRetention } from '../../src/engine/delivery/records/retention.js';
import type { LostRuns } from '../../src/engine/delivery/run/lost-runs.js';
import { type Announcer, OutcomeWriter } from '../../src/engine/delivery/run/outcome-writer.js';
import { planRun, type Run, RunClock } from '../../src/engine/delivery/run/run.js';
import { RunCanceler } from '../../src/engine/delivery/run/cancellation.js';
import { RunEngine } from '../../src/engine/delivery/run/run-engine.js';
import type { RunWorkflow } from '../../src/engine/delivery/records/workflow-version.js';
import { correctionsOf, Effects } from '../../src/engine/delivery/run/step-recorder.js';
import { StepRunner } from '../../src/engine/delivery/run/step-runner.js';
import type { StepOutcome } from '../../src/engine/delivery/run/transitions.js';
import { UnwrittenSends } from '../../src/engine/delivery/run/unwritten-sends.js';
import { type StepHandler, StepHandlers, type StepTask } from '../../src/engine/delivery/run/step-handler.js';
import { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';
import { AwaitingEnvironments } from '../../src/engine/delivery/records/awaiting-environments.js';
import { BudgetUses } from '../../src/engine/delivery/records/budget-uses.js';
import type { BudgetDigestDue } from '../../src/engine/delivery/records/delivery.events.js';
import { SignalStore } from '../../src/engine/delivery/records/signals.js';
import { BudgetGate } from '../../src/engine/delivery/steps/budget-gate.js';
import { WaitForEventStep } from '../../src/engine/delivery/steps/wait_for_event/wait-for-event.step.js';
import { RunWork } from '../../src/engine/delivery/worker/delivery-worker.js';
import type { ExecutionDetailsService } from '../../src/engine/execution-details/index.js';
import {
  messageIdFor,
  type MessageOutcome,
  type MessageStore,
  type NewMessage,
  type SentMessage,
  type SentMessages,
} from '../../src/engine/messages/store/index.js';
import {
  type NotificationRecord,
  NotificationStore,
  UNCERTAIN,
} from '../../src/engine/delivery/records/notification.js';
import type { TriggerEventRecord, TriggerEventStore } from '../../src/engine/delivery/records/trigger-event.js';
import { HeldRuns } from '../../src/engine/delivery/actions/held-runs.js';
import { bySendingTimes } from '../../src/engine/delivery/steps/sending-times.js';
import { type BudgetRule, type BudgetRules, BudgetsChanged } from '../../src/content/budgets/index.js';
import { ScheduleChanged } from '../../src/content/preferences/index.js';
import type { Schedule } from './schedules.js';
import { answersOn, connectionTo, GATE, metadataOf, throttleOn } from './stored-steps.js';

export const LEASE_MS = 1_000;
export const WINDOW_MS = 3_000;

export type StepKind =
  'digest' | 'delay' | 'throttle' | 'wait_for_event' | 'in_app' | 'chat' | 'sms' | 'email' | 'push';

/** A window of a minute. */
export const THROTTLE_MS = 60_000;
const SUBSCRIBER_ID = '000000000000000000000001';
type Notifications = mongo.Collection<NotificationRecord>;

const silent = { error: () => undefined, warn: () => undefined } as unknown as AppLogger;

/** Cancellations look at what they wait for when the test says so. */
class ChosenLooks {
  private waiting: (() => void)[] = [];

  get isAwaited(): boolean {
    return this.waiting.length > 0;
  }

  next(): Promise<void> {
    return new Promise((look) => this.waiting.push(look));
  }

  now(): void {
    for (const look of this.waiting.splice(0)) look();
  }
}

/** What all workers share: time, the store, and the messages that they have sent. */
export class DigestWorld {
  readonly clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  /** Events by id: those that are canceled are marked so. */
  readonly events = new Map<string, TriggerEventRecord>();
  /** The events that each message includes. */
  readonly messages = new Map<string, ShownMessage>();
  /** Of the subscriber. Steps of the type sms wait for it. */
  weekly: WeeklySchedule | undefined;
  lastEdit = 0;
  /** Steps of the types email and push ask them. */
  budgets: readonly BudgetRule[] = [];
  /** What budgets have held, by the transaction of its digest, and when it came. */
  readonly digests = new Map<string, { readonly contents: readonly string[]; readonly at: Date }>();
  /** When each event passed a step of the type sms. */
  readonly passed = new Map<number, Date[]>();
  /** The events that providers have got, each as often as it came. */
  readonly calls: number[] = [];
  readonly looks = new ChosenLooks();
  /** What went wrong. Workers that die or lose their lease throw nothing. */
  readonly errors: unknown[] = [];
  readonly onError = (error: unknown): void => void this.errors.push(error);
  readonly config: AppConfig;
  readonly workflow: RunWorkflow;
  private readonly ids = { template: new Types.ObjectId(), environment: new Types.ObjectId() };

  /** @param slots different values that the key of a digest can have each time it is read */
  constructor(
    kinds: readonly StepKind[],
    readonly slots: number,
    leaseMs = LEASE_MS,
    readonly threshold = 1,
  ) {
    this.config = AppConfig.from({ DELIVERY_LEASE_MS: String(leaseMs), DELIVERY_MAX_CLAIMS: '100' });
    const steps = kinds.map((type) => ({
      _id: new Types.ObjectId(),
      type,
      lane: type === 'chat' || type === 'push' ? type : 'store',
      metadata: metadataOf(type, threshold),
    }));
    const asksStore = kinds.some((kind) => kind === 'throttle' || kind === 'email' || kind === 'wait_for_event');
    const own = { steps, tags: [], asksStore, outsideSchedule: 'wait', critical: false };
    this.workflow = { id: this.ids.template.toHexString(), ...own } as unknown as RunWorkflow;
  }

  get environmentId(): Types.ObjectId {
    return this.ids.environment;
  }

  newEvent(n: number): TriggerEventRecord {
    const event = {
      _id: new Types.ObjectId(),
      _environmentId: this.ids.environment,
      _organizationId: new Types.ObjectId(),
      _userId: new Types.ObjectId(),
      _apiKeyId: new Types.ObjectId(),
      _templateId: this.ids.template,
      transactionId: `t${n}`,
      payload: { n },
      status: 'expanded',
      createdAt: this.clock.now(),
    } as unknown as TriggerEventRecord;
    this.events.set(event._id.toHexString(), event);
    return event;
  }

  runOf(record: NotificationRecord, event: TriggerEventRecord, isStored: boolean, lease: string): Run {
    return {
      record,
      isStored,
      wasClaimed: isStored,
      lease,
      seenAt: this.clock.now(),
      event,
      workflow: this.workflow,
      facts: {
        subscriber: { subscriberId: 'ann' },
        globalPreference: { schedule: this.weekly },
      } as unknown as Run['facts'],
      effects: new Effects(),
    };
  }
}

/** The collections of a worker besides that of the notifications. */
export interface OtherStores {
  readonly throttles?: object;
  readonly budgets?: object;
  readonly signals?: object;
}

/** One process: the real engine on the shared store, which waits for its turn at every call of the store. */
export class DigestWorker {
  readonly store: NotificationStore;
  private readonly queues: DeliveryQueues;
  private readonly engine: RunEngine;
  private readonly work: RunWork;
  private readonly cancellations: RunCancellations;
  private readonly held: HeldRuns;
  private readonly awaiting: AwaitingRuns;

  constructor(
    private readonly world: DigestWorld,
    collection: Notifications,
    private readonly schedule: Schedule,
    private readonly id: number,
    { throttles, budgets, signals = {} }: OtherStores = {},
  ) {
    this.store = Object.create(NotificationStore.prototype, { collection: { value: collection } }) as NotificationStore;
    const { clock, config } = world;
    const background = new Background(world.onError);
    const eventStore = this.events();
    this.queues = new DeliveryQueues(clock, eventStore, this.store, config);
    const nothing = (): Promise<void> => Promise.resolve();
    const nobody = (): Promise<ReadonlySet<string>> => Promise.resolve(new Set());
    const retained: Pick<EventRetention, 'keep' | 'removeErased' | 'deletedAmong'> = {
      keep: nothing,
      removeErased: nobody,
      deletedAmong: nobody,
    };
    const retention = retained as EventRetention;
    const details = { append: () => Promise.resolve() } as unknown as ExecutionDetailsService;
    const announcer = { publish: () => Promise.resolve() } as unknown as Announcer;
    const writer = new OutcomeWriter(this.store, this.messages(), details, announcer, retention, this.queues);
    const collector = new DigestCollector(this.store, eventStore);
    const succession = new DigestSuccession(this.store, details, clock);
    const runClock = new RunClock(clock, config);
    const ledger = new DigestLedger(this.store, runClock);
    const extensions = new DigestExtensions(this.store, eventStore, retention, runClock);
    const gathering = new DigestGathering(ledger, collector, succession, extensions, writer, this.queues);
    const begun = new BegunCalls(this.store, this.queues);
    const call = async ({ run, state, now }: StepTask): Promise<void> => {
      const own = { target: '', integrationId: 'own', providerId: 'own', at: now, attempt: state.attempt };
      await begun.begin(run, own);
      const n = run.event.payload['n'] as number;
      await schedule.point(id);
      world.calls.push(n);
      await schedule.point(id);
    };
    const passed = ({ run, now }: StepTask): void => {
      const n = run.event.payload['n'] as number;
      world.passed.set(n, [...(world.passed.get(n) ?? []), now]);
    };
    const own = handlersWith(gathering, () => schedule.pick(world.slots), { call, passed });
    const signalStore = new SignalStore(connectionTo(signals));
    const environments = new AwaitingEnvironments(this.store);
    const waits = new WaitForEventStep(GATE, answersOn(signalStore), environments);
    const handlers = new StepHandlers();
    const all: Record<string, StepHandler> = {
      ...own,
      wait_for_event: waits,
      ...(throttles && { throttle: throttleOn(throttles, this.queues) }),
      ...(budgets && budgeted(this.budgetGate(budgets), { message: messageOf, call })),
    };
    for (const [type, handler] of Object.entries(all)) handlers.add(type, handler);
    const unwritten = new UnwrittenSends({ ofNotifications: this.sentOf.bind(this) } as SentMessages, runClock);
    const steps = new StepRunner(handlers, unwritten, runClock, silent);
    const loader = { load: (records: NotificationRecord[]) => Promise.resolve(this.load(records)) } as RunLoader;
    const interrupted = new InterruptedRuns(steps, loader, unwritten, writer);
    const runCanceler = new RunCanceler(handlers, writer, this.store, eventStore, interrupted, runClock);
    this.engine = new RunEngine(steps, handlers, runCanceler, writer, this.queues, background);
    const lost = { end: () => Promise.resolve() } as unknown as LostRuns;
    this.work = new RunWork(loader, this.engine, lost, interrupted, this.queues, background);
    const marked = new MarkedRuns(this.store, this.queues, loader, runCanceler, lost);
    const looks = { next: () => world.looks.next().then(() => schedule.point(id)) } as unknown as Looks;
    this.cancellations = new RunCancellations(this.store, marked, this.queues, details, looks);
    const wakeUps = { notify: () => undefined } as WakeUps;
    this.held = new HeldRuns(this.store, this.queues, wakeUps);
    this.awaiting = new AwaitingRuns(this.store, this.queues, signalStore, environments, wakeUps);
  }

  /** Begins the run of an event, as its expansion does. */
  async begin(event: TriggerEventRecord): Promise<void> {
    const recipient = { _id: SUBSCRIBER_ID, subscriberId: 'ann' };
    const record = planRun(this.world.workflow, event, recipient, this.world.clock.now());
    if ((await this.store.existing([record])).size > 0) return;
    await this.engine.begin([this.world.runOf(record, event, false, this.queues.notifications.newLease())]);
  }

  /** The subscriber changes the schedule. Of two changes, the later one holds. */
  async edit(weekly: WeeklySchedule): Promise<void> {
    const number = ++this.world.lastEdit;
    await this.schedule.point(this.id);
    if (number === this.world.lastEdit) this.world.weekly = weekly;
    await this.schedule.point(this.id);
    const environmentId = this.world.environmentId.toHexString();
    await this.held.scheduleChanged(new ScheduleChanged({ environmentId }, SUBSCRIBER_ID));
  }

  /** Somebody changes the budgets. */
  async editBudgets(rules: readonly BudgetRule[]): Promise<void> {
    this.world.budgets = rules;
    await this.schedule.point(this.id);
    const environmentId = this.world.environmentId.toHexString();
    await this.held.budgetsChanged(new BudgetsChanged({ environmentId }));
  }

  /** @returns how many waits were woken */
  signal(transactionId: string): Promise<number> {
    const caller = { environmentId: this.world.environmentId.toHexString() } as TenantContext;
    return this.awaiting.signal(caller, { name: 'go', transactionId, payload: {} });
  }

  claim(): Promise<number> {
    return this.work.claimed.claim();
  }

  /** @returns whether anything was canceled */
  async cancel(event: TriggerEventRecord): Promise<boolean> {
    const own = ownRunsOf(event);
    const before = await this.cancellations.count(own);
    await this.cancellations.requestAndWait(own, 0);
    return (await this.cancellations.count(own)) > before;
  }

  renew(): Promise<void> {
    return this.queues.leases.lengthen(this.queues.inFlight.olderThan(0));
  }

  /** As it is. An event is accepted once for each transaction. */
  private budgetGate(collection: object): BudgetGate {
    const { world, schedule, id } = this;
    const read = async (): Promise<readonly BudgetRule[]> => {
      await schedule.point(id);
      return world.budgets;
    };
    const publish = async (due: BudgetDigestDue): Promise<void> => {
      await schedule.point(id);
      const { transactionId, payload } = due.digest;
      const contents = payload.messages.map(({ content }) => content);
      if (!world.digests.has(transactionId)) world.digests.set(transactionId, { contents, at: world.clock.now() });
      await schedule.point(id);
      due.isAccepted = true;
    };
    const rules = { of: read, fresh: read } as unknown as BudgetRules;
    const uses = new BudgetUses({ db: { collection: () => collection } } as unknown as Connection);
    return new BudgetGate(rules, uses, this.store, { publish } as unknown as EventBus);
  }

  private load(records: readonly NotificationRecord[]): LoadedRuns {
    const runs = records.flatMap((record) => {
      const event = this.world.events.get(record._eventId.toHexString());
      return event === undefined ? [] : [this.world.runOf(record, event, true, record.lease ?? '')];
    });
    return { runs, lost: [] };
  }

  private events(): TriggerEventStore {
    const { events } = this.world;
    return {
      findPayloads: async (runs: readonly { _eventId: Types.ObjectId }[]) => {
        await this.schedule.point(this.id);
        const ids = runs.map(({ _eventId }) => _eventId.toHexString());
        return new Map(ids.map((id) => [id, events.get(id)]));
      },
      // Calling an event off cancels its runs, once it is expanded.
      findCanceled: async () => {
        await this.schedule.point(this.id);
        return [];
      },
    } as unknown as TriggerEventStore;
  }

  private async sentOf(records: readonly { readonly _id: Types.ObjectId }[]): Promise<SentMessage[]> {
    if (records.length === 0) return [];
    await this.schedule.point(this.id);
    const ids = new Set(records.map(({ _id }) => _id.toHexString()));
    const found = [...this.world.messages.values()].filter(({ notificationId }) => ids.has(notificationId));
    return found.map(({ row }) => row as unknown as SentMessage);
  }

  private messages(): MessageStore {
    const { messages } = this.world;
    return {
      insert: async (batch: NewMessage[]) => {
        const known = new Set<string>();
        if (batch.length === 0) return known;
        await this.schedule.point(this.id);
        for (const message of batch) {
          const id = message._id.toHexString();
          if (messages.has(id)) known.add(id);
          else messages.set(id, shown(message));
        }
        await this.schedule.point(this.id);
        return known;
      },
      withdraw: async (late: readonly NewMessage[]) => {
        await this.schedule.point(this.id);
        for (const { _id } of late) messages.delete(_id.toHexString());
      },
      updateOutcomes: async (outcomes: readonly MessageOutcome[]) => {
        if (outcomes.length > 0) await this.schedule.point(this.id);
        for (const { messageId, content } of outcomes) {
          const known = messages.get(messageId.toHexString());
          if (known !== undefined)
            messages.set(messageId.toHexString(), shown({ ...known.row, content: content ?? '' }));
        }
      },
    } as unknown as MessageStore;
  }
}

interface ShownMessage {
  readonly notificationId: string;
  readonly included: readonly number[];
  readonly row: NewMessage;
}

function shown(row: NewMessage): ShownMessage {
  const included = JSON.parse(row.content as string) as number[];
  return { notificationId: row._notificationId.toHexString(), included, row };
}

function handlersWith(
  gathering: DigestGathering,
  slotNumber: () => number,
  { call, passed }: { readonly call: (task: StepTask) => Promise<void>; readonly passed: (task: StepTask) => void },
): Record<string, StepHandler> {
  const digest = ({ run, now }: StepTask): StepOutcome => {
    const slot = `${String(run.record.current)}:${slotNumber()}`;
    const until = new Date(now.getTime() + WINDOW_MS);
    return { kind: 'gather', slot, until, progress: { attempt: 1 } };
  };
  const delay = ({ now, isResumed }: StepTask): StepOutcome =>
    isResumed ? { kind: 'completed' } : { kind: 'wait', until: new Date(now.getTime() + WINDOW_MS / 2) };
  const chat = async (task: StepTask): Promise<StepOutcome> => {
    if (openCalls(task.state).length > 0) return uncertain;
    await call(task);
    return { kind: 'completed', progress: { calls: undefined } };
  };
  const sms = (task: StepTask): StepOutcome => {
    const held = bySendingTimes(task, 'sms');
    if (held === undefined) passed(task);
    return held ?? { kind: 'completed' };
  };
  return {
    digest: { run: (task) => Promise.resolve(digest(task)), preview, gathering },
    delay: { run: (task) => Promise.resolve(delay(task)), preview },
    in_app: { run: (task) => Promise.resolve(messageOf(task)), preview },
    sms: { run: (task) => Promise.resolve(sms(task)), preview },
    chat: { run: chat, preview, endInterrupted: () => Promise.resolve(uncertain) },
  };
}

const preview: StepHandler['preview'] = () => Promise.resolve({});

const uncertain: StepOutcome = {
  kind: 'failed',
  reason: UNCERTAIN,
  error: 'interrupted',
  progress: { calls: undefined },
};

function messageOf({ run, state, recorder }: StepTask): StepOutcome {
  const included = (run.digestEvents ?? [run.event.payload]).map((payload) => payload['n'] as number);
  const _id = messageIdFor({ notificationId: run.record._id, jobId: state._id });
  const content = JSON.stringify(included);
  const own = { _notificationId: run.record._id, _jobId: state._id, channel: 'in_app', status: 'sent', content };
  const row = { _id, ...own } as unknown as NewMessage;
  recorder.add({ messages: [row], updates: correctionsOf(run, row) });
  return { kind: 'completed' };
}

/** Steps whose messages are counted: one that leaves a message in the store, and one that calls a provider. */
function budgeted(
  gate: BudgetGate,
  { message, call }: { readonly message: typeof messageOf; readonly call: (task: StepTask) => Promise<void> },
): Record<string, StepHandler> {
  const contentOf = ({ run }: StepTask): { content: string } => ({ content: String(run.event.payload['n']) });
  const email = async (task: StepTask): Promise<StepOutcome> =>
    (await gate.refuse(task, contentOf(task))) ?? message(task);
  const push = async (task: StepTask): Promise<StepOutcome> => {
    if (openCalls(task.state).length > 0) return uncertain;
    const over = await gate.refuse(task, contentOf(task));
    if (over) return over;
    await call(task);
    return { kind: 'completed', progress: { calls: undefined } };
  };
  return {
    email: { run: email, preview },
    push: { run: push, preview, endInterrupted: () => Promise.resolve(uncertain) },
  };
}

import { mongo } from 'mongoose';
import { type Clock, type EventBus, ManualClock } from '#libs/common';
import { AppException } from '#libs/http-kit';
import { SecretBox } from '#libs/secrets';
import { QuestionAnswers } from '../../src/engine/questions/question-answers.js';
import { AnswerSignatures } from '../../src/engine/questions/answer-signature.js';
import { QuestionAsking } from '../../src/engine/questions/question-asking.js';
import { QuestionChats } from '../../src/engine/questions/question-chats.js';
import { QuestionClosing } from '../../src/engine/questions/question-closing.js';
import { QuestionAnswerGiven, QuestionSettled } from '../../src/engine/questions/question.events.js';
import type { Question } from '../../src/engine/questions/question.schema.js';
import { QuestionQueue, QuestionStore } from '../../src/engine/questions/question-store.js';
import { QuestionWorker } from '../../src/engine/questions/question-worker.js';
import type { ParsedRecipients } from '../../src/engine/events/recipients.js';
import { repetitions } from '../harness/index.js';
import { MemoryCollection, MemoryDocuments } from '../support/memory-collection.js';
import { Schedule, seeded } from '../support/schedules.js';

const LEASE_MS = 10_000;
/** The clock of a machine is corrected. */
const SET_BACK_MS = 120_000;
const PEOPLE = ['ada', 'bob', 'cay'] as const;
const MAX_STEPS = 20_000;
const START = new Date('2030-01-01T00:00:00Z');
const environmentId = new mongo.ObjectId();
const box = new SecretBox(['a key of this test']);

interface Told {
  readonly by: string;
  readonly status: number;
  readonly value: string;
}

interface SentEvent {
  readonly transactionId: string;
  readonly to: ParsedRecipients;
}

interface Actor {
  readonly number: number;
  readonly worker: QuestionWorker;
  readonly answers: QuestionAnswers;
  readonly store: QuestionStore;
}

/**
 * A question of three people in two waves, with everything that Herald has of it but its messages: two workers, answers that race each
 * other, its time limit, a cancellation and a clock that is set back. What each does next is chance, which a seed repeats.
 */
class Play {
  readonly faults: string[] = [];
  readonly told: Told[] = [];
  /** Outcomes that a webhook was told of, by what names its delivery. */
  readonly webhooks = new Map<string, string>();
  readonly audited = new Set<string>();
  /** Each outcome that was ever stored. */
  readonly outcomes = new Set<string>();
  /** Events that carry messages, and whether the copies of each say who decided. */
  readonly events = new Map<string, { to: number; isCanceled: boolean; isClosed: boolean }>();
  readonly id = new mongo.ObjectId();
  private readonly people = PEOPLE.map((subscriberId, place) => ({
    _id: new mongo.ObjectId(),
    subscriberId,
    wave: place === 2 ? 1 : 0,
  }));
  private readonly random: () => number;
  private readonly schedule: Schedule;
  private readonly clock = new ManualClock(START);
  private readonly questions = new MemoryDocuments(undefined, ({ outcome }) => {
    if (outcome !== undefined) this.outcomes.add(textOf(outcome as Outcome));
  });
  private readonly busy = new Set<number>();
  private actors = 0;
  private pending = 0;

  constructor(seed: number) {
    this.random = seeded(seed);
    this.schedule = new Schedule(this.random);
    this.questions.put(this.question());
  }

  get row(): Question {
    return this.questions.plain()[0] as unknown as Question;
  }

  async run(): Promise<void> {
    for (const person of this.people) {
      this.act((actor) => this.answer(actor, person));
      if (this.random() < 0.3) this.act((actor) => this.answer(actor, person));
    }
    if (this.random() < 0.4) this.act((actor) => this.cancel(actor));
    for (let steps = 0; this.pending > 0 || this.row.wakeAt !== undefined; steps += 1) {
      if (steps > MAX_STEPS) throw new Error('The question does not end.');
      if (this.busy.size < 2 && this.random() < 0.2) this.work();
      const hasMoved = await this.schedule.step();
      const dice = this.random();
      if (dice < 0.05) this.disturb();
      else if (dice < 0.1) this.clock.advance(Math.floor(this.random() * 2 * LEASE_MS));
      else if (dice < 0.101) this.clock.advance(-SET_BACK_MS);
      if (hasMoved) continue;
      this.schedule.stalled.clear();
      this.clock.advance(1_000);
      if (this.busy.size < 2) this.work();
    }
    // Whoever stood still over the end goes on as if nothing had happened.
    this.schedule.stalled.clear();
    while (this.busy.size > 0) await this.schedule.step();
  }

  private question(): Record<string, unknown> {
    const now = this.clock.now();
    const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
    const quorum = this.random() < 0.5 ? 1 : 2;
    return {
      _id: this.id,
      _environmentId: environmentId,
      _organizationId: new mongo.ObjectId(),
      title: 'Deploy?',
      kind: 'approve',
      options: [],
      quorum,
      veto: this.random() < 0.3,
      people: this.people,
      waves: [now, after(20)],
      expiresAt: after(60),
      ...(this.random() < 0.5 && { default: 'refuse' }),
      ...(this.random() < 0.5 && { remindAt: after(30) }),
      workflow: 'question',
      payload: {},
      by: { apiKeyId: 'key', userId: 'user', scopes: ['trigger'] },
      depth: 0,
      status: 'open',
      answers: [],
      asked: [],
      told: 0,
      wakeAt: now,
      dueSince: now,
      deleted: false,
      createdAt: now,
      __v: 0,
    };
  }

  /** Somebody begins after a while. Whoever dies is forgotten: an answer that was not given may be missing. */
  private act(work: (actor: Actor) => Promise<void>): void {
    const actor = this.actor();
    const wait = Math.floor(this.random() * 30);
    this.pending += 1;
    const begin = async (): Promise<void> => {
      for (let turns = 0; turns < wait; turns += 1) await this.schedule.point(actor.number);
      await work(actor);
    };
    begin().then(
      () => (this.pending -= 1),
      (error: unknown) => this.faults.push(String(error)),
    );
  }

  private async answer({ answers }: Actor, { _id, subscriberId }: (typeof this.people)[number]): Promise<void> {
    const value = this.random() < 0.6 ? 'approve' : 'refuse';
    const subscriber = { _id: _id.toHexString(), subscriberId };
    const tenant = { environmentId: environmentId.toHexString() };
    const status = await answers.answer(tenant, this.id.toHexString(), { subscriber, value, via: 'inbox' }).then(
      () => 200,
      (error: unknown) => {
        if (error instanceof AppException) return error.status;
        throw error;
      },
    );
    this.told.push({ by: subscriberId, status, value });
  }

  private async cancel({ store }: Actor): Promise<void> {
    const row = await store.find({ environmentId: environmentId.toHexString() }, this.id.toHexString());
    if (row?.status !== 'open') return;
    const outcome = { at: this.clock.now(), by: { type: 'api_key', id: 'key' } } as const;
    await store.end(row, { status: 'canceled', outcome });
  }

  private work(): void {
    const { number, worker } = this.actor();
    this.busy.add(number);
    const end = (): unknown => this.busy.delete(number);
    worker
      .claim()
      .then((rows) => worker.carryOut(rows))
      .then(end, (error: unknown) => this.faults.push(String(error)));
  }

  private disturb(): void {
    const victims = [...this.busy].filter((number) => !this.schedule.stalled.has(number));
    const victim = victims[Math.floor(this.random() * victims.length)];
    if (victim === undefined) return;
    if (this.random() < 0.5) this.schedule.stalled.add(victim);
    else {
      this.schedule.kill(victim);
      this.busy.delete(victim);
    }
  }

  private actor(): Actor {
    const number = this.actors++;
    const yields = (): Promise<void> => this.schedule.point(number);
    const clock: Clock = this.clock;
    const model = { collection: new MemoryCollection(this.questions, yields) } as never;
    const config = { get: (name: string) => (name === 'DELIVERY_LEASE_MS' ? LEASE_MS : 0) } as never;
    const logger = { error: (error: unknown) => this.faults.push(String(error)) } as never;
    const store = new QuestionStore(model, clock);
    const byId = new Map(this.people.map(({ _id, subscriberId }) => [_id.toHexString(), { subscriberId }]));
    const subscribers = { findByIds: () => Promise.resolve(byId), findById: (_: unknown, id: string) => byId.get(id) };
    const events = {
      triggerAt: async (_caller: unknown, { transactionId, to }: SentEvent) => {
        await yields();
        if (!this.events.has(transactionId))
          this.events.set(transactionId, { to: to.recipients.list.length, isCanceled: false, isClosed: false });
        await yields();
        return { status: 'processed', transactionId };
      },
      cancel: async (_caller: unknown, id: string) => {
        await yields();
        const known = this.events.get(id);
        if (known !== undefined) known.isCanceled = true;
        return known !== undefined;
      },
    };
    const copies = {
      close: async (_caller: unknown, ids: readonly string[]) => {
        await yields();
        for (const id of ids) {
          const known = this.events.get(id);
          if (known !== undefined) known.isClosed = true;
        }
      },
      inChats: () => [],
    };
    const bus = { publish: (event: object) => this.publish(event, yields) } as unknown as EventBus;
    const asking = new QuestionAsking(
      events as never,
      subscribers as never,
      { findByIdentifier: () => Promise.resolve(undefined) } as never,
      { hasActive: () => Promise.resolve(false) } as never,
      { at: () => undefined } as never,
      clock,
    );
    const waits = { signal: yields } as never;
    const chats = new QuestionChats(copies as never, {} as never, subscribers as never, {} as never, logger);
    const closing = new QuestionClosing(asking, events as never, copies as never, waits, chats, bus);
    const worker = new QuestionWorker(store, new QuestionQueue(model, clock, config), asking, closing, config, logger);
    const drafts = { faultOf: () => Promise.resolve(undefined) } as never;
    const signatures = new AnswerSignatures(box);
    const answers = new QuestionAnswers(store, subscribers as never, drafts, worker, signatures, clock);
    return { number, worker, answers, store };
  }

  private async publish(event: object, yields: () => Promise<void>): Promise<void> {
    await yields();
    if (event instanceof QuestionAnswerGiven) this.audited.add(event.answer._subscriberId.toHexString());
    if (event instanceof QuestionSettled) {
      const { _id, outcome } = event.question;
      const told = textOf(outcome);
      const before = this.webhooks.get(_id);
      if (before !== undefined && before !== told) this.faults.push(`two webhooks: ${before} and ${told}`);
      this.webhooks.set(_id, told);
    }
    await yields();
  }
}

type Outcome = Question['outcome'];

/** Whatever the order of its members. */
function textOf(outcome: Outcome): string {
  return JSON.stringify([outcome?.value, outcome?.at, outcome?.by?.type, outcome?.by?.subscriberId]);
}

/** What a play must have come to, whatever happened in it. */
function faultsOf(play: Play): string[] {
  const { row, told, outcomes, webhooks, audited, events } = play;
  const { status, outcome, answers } = row;
  const accepted = new Set(told.filter((one) => one.status === 200).map(({ by, value }) => `${by}:${value}`));
  const stored = new Set(answers.map(({ subscriberId, value }) => `${subscriberId}:${value}`));
  const byAnswer = answers.at(-1);
  const isOfLast =
    outcome?.by?.subscriberId === byAnswer?.subscriberId && outcome?.at.getTime() === byAnswer?.at.getTime();
  return [
    ...play.faults,
    ...(status === 'open' || outcome === undefined ? ['it has no outcome'] : []),
    ...(outcomes.size === 1 ? [] : [`it had ${outcomes.size} outcomes: ${[...outcomes].join(' and ')}`]),
    ...(webhooks.size === 1 ? [] : [`${webhooks.size} webhooks`]),
    ...([...webhooks.values()][0] === textOf(outcome) ? [] : ['the webhook has another outcome']),
    ...(status === 'answered' && !isOfLast ? ['another answer than the last one decided'] : []),
    ...(new Set(answers.map(({ subscriberId }) => subscriberId)).size === answers.length
      ? []
      : ['somebody has two answers']),
    ...[...accepted].filter((one) => !stored.has(one)).map((one) => `${one} was accepted and is not there`),
    ...(audited.size === answers.length ? [] : [`${audited.size} of ${answers.length} answers are in the audit log`]),
    ...[...events].flatMap(([id, { to, isCanceled, isClosed }]) =>
      to === 0 || (isCanceled && isClosed) ? [] : [`${id} does not say who decided`],
    ),
  ];
}

describe('a question under any schedule of answers, its time limit, a cancellation, stalls, deaths and clocks that are set back', () => {
  it('should have exactly one outcome, of which one webhook and all copies tell', async () => {
    const ends: Record<string, number> = {};
    const faults: string[] = [];
    let late = 0;
    for (let seed = 1; seed <= repetitions({ short: 300, long: 5_000 }) && faults.length < 10; seed += 1) {
      const play = new Play(seed);
      await play.run().catch((error: unknown) => play.faults.push(String(error)));
      faults.push(...faultsOf(play).map((fault) => `seed ${seed}: ${fault}`));
      ends[play.row.status] = (ends[play.row.status] ?? 0) + 1;
      late += play.told.filter(({ status }) => status === 409).length;
    }
    expect(faults).toEqual([]);
    // The orders are such that all of it happens often.
    for (const status of ['answered', 'expired', 'canceled']) expect(ends[status]).toBeGreaterThan(20);
    expect(late).toBeGreaterThan(100);
  });
});

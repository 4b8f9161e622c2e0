import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mongo } from 'mongoose';
import { repetitions, type TestSession } from '../harness/index.js';
import { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';
import { CALLING, MARKING } from '../../src/engine/delivery/run/begun-calls.js';
import { RECORDING, SETTLING } from '../../src/engine/delivery/run/outcome-writer.js';
import type { Run } from '../../src/engine/delivery/run/run.js';
import { RESUMING } from '../../src/engine/delivery/run/run-engine.js';
import { createWorkflow, delay, digest, inApp, type SentStep, throttle } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { Holders } from '../support/holders.js';
import { seeded } from '../support/schedules.js';

const LEASE_MS = 10_000;
const SEEDS = Array.from({ length: repetitions({ short: 2, long: 40 }) }, (_, place) => place + 1);
const EVENTS = 24;
const ROUNDS = 7;
const MOST_STALLED = 5;
const DEATHS = { [MARKING.name]: 0.05, [CALLING.name]: 0.05, [RECORDING.name]: 0.1, [SETTLING.name]: 0.25 };
const STALL = 0.08;

interface StoredStep {
  readonly _id: mongo.ObjectId;
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly output?: { readonly n?: number; readonly data?: { readonly n?: number } };
}

interface StoredRun {
  readonly _id: mongo.ObjectId;
  readonly transactionId: string;
  readonly status: string;
  readonly digestInto?: mongo.ObjectId;
  readonly steps: readonly StoredStep[];
}

interface StoredMessage {
  readonly _jobId: mongo.ObjectId;
  readonly content: string;
}

/** Dies or stands still wherever a run passes, as often as the seed says. */
class Fates {
  readonly stalled: (() => void)[] = [];
  readonly tally = new Map<string, number>();
  /** Those of a claim that are carried on together: while one stands still, the claim does not end. */
  private readonly together = new WeakSet<Run>();
  random: () => number = () => 1;

  arm(): void {
    MARKING.arm(() => this.pass(MARKING.name));
    CALLING.arm(() => this.pass(CALLING.name));
    RESUMING.arm((runs) => {
      for (const run of runs) if (run.record.lane === 'store') this.together.add(run);
      return Promise.resolve();
    });
    RECORDING.arm(async (run) => isBefore(run.record) || this.pass(RECORDING.name, this.together.has(run) ? 0 : STALL));
    // Runs are written together, and while one write stands still, no other ends: here they die only.
    SETTLING.arm(async ([run]) => run === undefined || isBefore(run.record) || this.pass(SETTLING.name, 0));
  }

  disarm(): void {
    for (const point of [MARKING, CALLING, RECORDING, SETTLING, RESUMING]) point.disarm();
  }

  count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  private async pass(point: string, stall = STALL): Promise<void> {
    const chance = this.random();
    const death = DEATHS[point] ?? 0;
    if (chance < death) {
      this.count(`died at ${point}`);
      // Either the process has died, or its store was away for a moment.
      throw chance < death / 2 ? new mongo.MongoError('dead') : new mongo.MongoNetworkError('the store is away');
    }
    if (chance > death + stall || this.stalled.length >= MOST_STALLED) return;
    this.count(`stalled at ${point}`);
    await new Promise<void>((resume) => this.stalled.push(resume));
  }
}

/** It is at the delay with which each begins. */
function isBefore({ steps }: Run['record']): boolean {
  return steps[1]?.status === 'pending';
}

/**
 * Workers that die or stand still over steps which ask others, while those say something else each time they are asked. A message
 * that is in the feed is one that the record says was sent, with the answer that the record has.
 */
describe('a run whose workers die between a message and its record', () => {
  const fates = new Fates();
  let delivery: DeliveryApi;
  let session: TestSession;
  let holders: Holders;
  let queues: DeliveryQueues;
  let server: Server;
  let asked: Map<string, number>;
  let random: () => number = () => 0;

  /** A number that no other answer has; a condition passes, fails or has no answer by chance. */
  const answer = ({ method = '', url = '' }: IncomingMessage, response: ServerResponse): void => {
    const key = `${method} ${url}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
    if (url.startsWith('/ask')) {
      const chance = random();
      if (chance < 0.15) return void response.writeHead(500).end();
      return void response.end(JSON.stringify({ allowed: String(chance < 0.6) }));
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ n: asked.get(key) }));
  };

  const request = (method: string, more: Record<string, unknown> = {}): SentStep => ({
    stepId: 'answer',
    template: { type: 'http_request', method, url: `${urlOf(server)}/{{n}}`, ...more },
  });
  const onlyIf = (): Record<string, unknown> => {
    const condition = { on: 'webhook', webhookUrl: `${urlOf(server)}/ask`, field: 'allowed', operator: 'EQUAL' };
    return { filters: [{ value: 'AND', children: [{ ...condition, value: 'true' }] }] };
  };
  const text = inApp('{{steps.answer.n}}');
  const workflows = (): Record<string, SentStep[]> => ({
    'a request that is sent once': [delay(), request('POST'), text],
    'a request that reads': [delay(), request('GET'), text, inApp('again {{steps.answer.n}}')],
    'a request that may fail': [delay(), request('POST', { continueOnFailure: true }), text],
    'a throttle after a request': [delay(), request('POST'), throttle({ amount: 3, threshold: 5 }), text],
    'a digest after a request': [delay(), request('POST'), digest(), inApp('{{step.total_count}}')],
    'a message with a condition': [delay(), inApp('asked', { ...onlyIf(), shouldStopOnFail: true }), inApp('then')],
    'a throttle with a condition': [
      delay(),
      { ...throttle({ threshold: 2 }), ...onlyIf(), shouldStopOnFail: true },
      text,
    ],
  });

  beforeAll(async () => {
    const settings = { DELIVERY_WORKER: 'off', LOG_LEVEL: 'silent', ALLOW_PRIVATE_URLS: '1' };
    delivery = await startDeliveryApi('delivered_steps', { ...settings, DELIVERY_MAX_CLAIMS: '50' });
    holders = new Holders(delivery.api);
    queues = delivery.api.app.get(DeliveryQueues, { strict: false });
    server = createServer((incoming, response) => {
      incoming.resume().on('end', () => answer(incoming, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(async () => {
    session = await delivery.api.session();
    asked = new Map();
  });
  afterEach(() => fates.disarm());
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await delivery.api.close();
  });

  const round = async (): Promise<void> => {
    const go = await holders.claim();
    // Who dies over runs that are carried on together says so.
    await go().catch(() => undefined);
    await eventually(() => expect(queues.inFlight.size).toBe(fates.stalled.length));
    delivery.clock.advance(LEASE_MS * (0.5 + random()));
  };
  const wake = async (count: number): Promise<void> => {
    for (const resume of fates.stalled.splice(0, count)) resume();
    await eventually(() => expect(queues.inFlight.size).toBe(fates.stalled.length));
  };
  const play = async (workflow: string): Promise<void> => {
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      name: workflow,
      to: `s${n % 8}`,
      payload: { n },
      transactionId: `${workflow}-${n}`,
    }));
    await session.post('/v1/events/trigger/bulk', { events }).expect(201);
    await delivery.drain();
    delivery.clock.advance(300_000);
    fates.arm();
    for (let n = 0; n < ROUNDS; n += 1) {
      await round();
      if (random() < 0.5) await wake(Math.ceil(random() * MOST_STALLED));
    }
    fates.disarm();
    await wake(MOST_STALLED);
    await eventually(async () => {
      delivery.clock.advance(60_000);
      await round();
      expect(await delivery.rows('notifications', { status: 'active' })).toEqual([]);
    });
  };

  /** What the record of a run says that its feed does not, or the other way round. */
  const faultsOf = (
    { transactionId, steps, status, digestInto }: StoredRun,
    sent: readonly StoredMessage[],
  ): string[] => {
    const faults: string[] = [];
    const output = steps.find(({ type }) => type === 'http_request')?.output?.n;
    for (const { _id, type, ...step } of steps) {
      if (type !== 'in_app') continue;
      const own = sent.filter(({ _jobId }) => _jobId.equals(_id));
      const isSent = step.status === 'completed';
      if (own.length !== Number(isSent)) {
        faults.push(`${transactionId} has ${own.length} messages: ${step.status} ${step.reason ?? ''}, ${status}`);
      }
      const [, shown] = /(\d+)$/.exec(own[0]?.content ?? '') ?? [];
      const isOfAnswer =
        steps.some((one) => one.type === 'http_request') && !steps.some((one) => one.type === 'digest');
      if (isOfAnswer && isSent && String(shown) !== String(output)) {
        faults.push(`${transactionId} shows the answer ${shown}, and its record has ${output}`);
      }
    }
    const asksIn = steps.find(({ type }) => type === 'http_request');
    if (digestInto !== undefined && asksIn?.status === 'failed') faults.push(`${transactionId} failed in a digest`);
    return faults;
  };

  it.each(SEEDS)('should have in its record what is in the feed, seed %i', async (seed) => {
    const faults: string[] = [];
    for (const [name, steps] of Object.entries(workflows())) {
      random = seeded(seed * 1_000 + name.length);
      fates.random = random;
      asked.clear();
      const { identifier } = await createWorkflow(session, steps);
      await play(identifier);
      const runs = (await delivery.rows('notifications', {
        transactionId: { $regex: `^${identifier}-` },
      })) as unknown as StoredRun[];
      expect(runs).toHaveLength(EVENTS);
      for (const run of runs) {
        const sent = (await delivery.rows('messages', { _notificationId: run._id })) as unknown as StoredMessage[];
        faults.push(...faultsOf(run, sent).map((fault) => `${name}: ${fault}`));
        for (const { type, status, reason } of run.steps) fates.count(`${type} ${status} ${reason ?? ''}`.trim());
      }
      for (const [key, times] of asked)
        if (key.startsWith('POST /') && !key.includes('/ask') && times > 1)
          faults.push(`${name}: ${key} ${times} times`);
    }
    expect(faults).toEqual([]);
  });

  it('should have met each fault and each end, or the orders show nothing', () => {
    const seen = [...fates.tally.keys()];
    for (const point of Object.keys(DEATHS)) expect(seen).toContain(`died at ${point}`);
    for (const { name } of [MARKING, CALLING, RECORDING]) expect(seen).toContain(`stalled at ${name}`);
    const ends = ['http_request completed', 'http_request failed uncertain', 'in_app completed'];
    expect(seen).toEqual(
      expect.arrayContaining([...ends, 'in_app skipped conditions', 'in_app canceled earlier_step_failed']),
    );
  });
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { mongo } from 'mongoose';
import { repetitions, type TestSession } from '../harness/index.js';
import { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';
import { CALLING, MARKING } from '../../src/engine/delivery/run/begun-calls.js';
import { RECORDING, SETTLING } from '../../src/engine/delivery/run/outcome-writer.js';
import type { Run } from '../../src/engine/delivery/run/run.js';
import { createWorkflow, delay } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { Holders } from '../support/holders.js';
import { seeded } from '../support/schedules.js';

const LEASE_MS = 10_000;
const SEEDS = Array.from({ length: repetitions({ short: 7, long: 40 }) }, (_, place) => place + 1);
const MESSAGES = 100;
const ROUNDS = 6;
/** Fewer than the calls that one integration may make at a time, so that the others go on. */
const MOST_STALLED = 8;
const DEATHS = { [MARKING.name]: 0.1, [CALLING.name]: 0.15, [RECORDING.name]: 0.15, [SETTLING.name]: 0.15 };
const STALL = 0.1;

interface Received {
  /** Requests that the provider has taken, or may have. */
  taken: number;
  accepted: number;
}

interface End {
  readonly status: string;
  readonly reason: string | undefined;
  readonly trail: readonly string[];
}

/**
 * Two holders and more carry out the same messages; at every point around a call, each dies, stands still for longer than its
 * lease, or goes on. The provider accepts, refuses, refuses for now, or hangs up.
 */
class Schedules {
  readonly received = new Map<number, Received>();
  readonly stalled: (() => void)[] = [];
  readonly tally = new Map<string, number>();
  private readonly holders: Holders;
  private readonly queues: DeliveryQueues;
  random: () => number = () => 1;

  constructor(private readonly delivery: DeliveryApi) {
    this.holders = new Holders(delivery.api);
    this.queues = delivery.api.app.get(DeliveryQueues, { strict: false });
  }

  arm(): void {
    MARKING.arm(() => this.pass(MARKING.name));
    CALLING.arm(() => this.pass(CALLING.name));
    RECORDING.arm(async ({ record }) => isBefore(record) || this.pass(RECORDING.name));
    // Runs are written together, and while one write stands still, no other ends: here they die only.
    SETTLING.arm(async ([run]) => run === undefined || isBefore(run.record) || this.pass(SETTLING.name, 0));
  }

  disarm(): void {
    for (const point of [MARKING, CALLING, RECORDING, SETTLING]) point.disarm();
  }

  answer(n: number, response: ServerResponse): void {
    const known = this.received.get(n) ?? { taken: 0, accepted: 0 };
    this.received.set(n, known);
    const chance = this.random();
    if (chance < 0.1) return void response.writeHead(503).end();
    if (chance < 0.15) return void response.writeHead(400).end('{"error":"no"}');
    known.taken += 1;
    if (chance < 0.2) return void response.destroy();
    known.accepted += 1;
    response.end('{"id":"1"}');
  }

  /** Claims what is due, and lets it go as far as it does. */
  async round(): Promise<void> {
    const go = await this.holders.claim();
    await go();
    await eventually(() => expect(this.queues.inFlight.size).toBe(this.stalled.length));
    this.delivery.clock.advance(LEASE_MS * (0.5 + this.random()));
  }

  /** Those who stood still go on, although others may have taken over. */
  async wake(count: number): Promise<void> {
    for (const resume of this.stalled.splice(0, count)) resume();
    await eventually(() => expect(this.queues.inFlight.size).toBe(this.stalled.length));
  }

  private async pass(point: string, stall = STALL): Promise<void> {
    const chance = this.random();
    const death = DEATHS[point] ?? 0;
    if (chance < death) {
      this.count(`died at ${point}`);
      // What leaves everything undecided, as the end of a process does.
      throw new mongo.MongoError('dead');
    }
    if (chance > death + stall || this.stalled.length >= MOST_STALLED) return;
    this.count(`stalled at ${point}`);
    await new Promise<void>((resume) => this.stalled.push(resume));
  }

  count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }
}

/** It is at the delay, or on its way from there to the lane of the message together with others. */
function isBefore({ steps }: Run['record']): boolean {
  const [, message] = steps;
  if (message === undefined || message.status === 'pending' || message.status === 'running') return true;
  return message.status === 'queued' && message.dueAt === undefined;
}

describe('messages whose calls are interrupted', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  let schedules: Schedules;
  let server: Server;
  let workflow: string;

  beforeAll(async () => {
    delivery = await startDeliveryApi('interrupted_calls', { DELIVERY_WORKER: 'off', LOG_LEVEL: 'silent' });
    schedules = new Schedules(delivery);
    session = await delivery.api.session();
    server = createServer((request, response) => {
      text(request).then(
        (body) => schedules.answer(Number(/number (\d+)/.exec(body)?.[1]), response),
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const credentials = {
      baseUrl: `http://127.0.0.1:${port}/`,
      apiKeyRequestHeader: 'x-key',
      apiKey: 'key',
      idPath: 'id',
      from: '+1',
    };
    await session
      .post('/v1/integrations', { providerId: 'generic-sms', channel: 'sms', active: true, credentials })
      .expect(201);
    const sms = { template: { type: 'sms', content: 'number {{n}}' } };
    workflow = (await createWorkflow(session, [delay(), sms])).identifier;
  });
  afterAll(async () => {
    schedules.disarm();
    server.closeAllConnections();
    server.close();
    await delivery.api.close();
  });

  const triggerAll = async (first: number): Promise<void> => {
    const events = Array.from({ length: MESSAGES }, (_, place) => ({
      name: workflow,
      to: { subscriberId: `s${place}`, phone: '+491234' },
      payload: { n: first + place },
      transactionId: `n${first + place}`,
    }));
    await session.post('/v1/events/trigger/bulk', { events }).expect(201);
    await delivery.drain();
    delivery.clock.advance(300_000);
  };

  const play = async (seed: number): Promise<void> => {
    const random = seeded(seed);
    schedules.random = random;
    await triggerAll(seed * MESSAGES);
    schedules.arm();
    for (let round = 0; round < ROUNDS; round += 1) {
      await schedules.round();
      if (random() < 0.5) await schedules.wake(Math.ceil(random() * MOST_STALLED));
    }
    schedules.disarm();
    await schedules.wake(MOST_STALLED);
    await eventually(async () => {
      await schedules.round();
      expect(await delivery.rows('notifications', { status: 'active' })).toEqual([]);
    });
  };

  const ends = async (): Promise<Map<number, End>> => {
    const rows = await delivery.rows('notifications');
    return new Map(
      rows.map((row) => {
        const { status, transactionId, steps, trail } = row as unknown as {
          status: string;
          transactionId: string;
          steps: { reason?: string }[];
          trail: { d: string }[];
        };
        return [Number(transactionId.slice(1)), { status, reason: steps[1]?.reason, trail: trail.map(({ d }) => d) }];
      }),
    );
  };

  /** What is wrong with the end of a message. */
  const faultOf = ({ taken, accepted }: Received, { status, reason, trail }: End): string | undefined => {
    if (taken > 1) return `was sent ${taken} times`;
    if (status === 'completed') return accepted === 1 ? undefined : 'is completed, and nobody has it';
    if (reason === 'uncertain') {
      return trail.includes('The provider may have accepted the message') ? undefined : 'is uncertain without a word';
    }
    return taken === 0 ? undefined : `ended as ${status}, ${reason}, and was sent`;
  };

  it.each(SEEDS)(
    `should be sent once at most, and never be lost without a word: ${MESSAGES} orders, seed %i`,
    async (seed) => {
      await play(seed);
      const all = [...(await ends())].filter(([n]) => Math.floor(n / MESSAGES) === seed);
      const faults: string[] = [];
      for (const [n, end] of all) {
        const fault = faultOf(schedules.received.get(n) ?? { taken: 0, accepted: 0 }, end);
        if (fault !== undefined) faults.push(`${n} ${fault}`);
        schedules.count(`${end.status} ${end.reason ?? ''}`.trim());
      }
      expect(faults).toEqual([]);
      expect(all).toHaveLength(MESSAGES);
    },
  );

  it('should have met each fault and each end, or the orders show nothing', () => {
    const seen = [...schedules.tally.keys()];
    for (const point of Object.keys(DEATHS)) expect(seen).toContain(`died at ${point}`);
    for (const { name } of [MARKING, CALLING, RECORDING]) expect(seen).toContain(`stalled at ${name}`);
    expect(seen).toEqual(expect.arrayContaining(['completed', 'failed uncertain', 'failed provider']));
  });
});

import { ManualClock } from '#libs/common';
import type { TestSession } from '../harness/index.js';
import { REPLAYING } from '../../src/engine/delivery/actions/bulk-replayer.js';
import { DeliveryWorker } from '../../src/engine/delivery/index.js';
import { COUNTING, ReplayPortions } from '../../src/outcomes/notification-replays/replay-portions.js';
import { ReplayQueue } from '../../src/outcomes/notification-replays/replay-queue.js';
import { dataOf, pageOf } from '../support/answers.js';
import { createWorkflow, email } from '../support/delivery.js';
import { storeNamed } from '../support/delivery-api.js';
import { claimAll } from '../support/holders.js';
import { seeded } from '../support/schedules.js';
import { startTestApi, useApi } from '../support/test-api.js';

interface ShownReplay {
  readonly _id: string;
  readonly status: string;
  readonly examined: number;
  readonly replayed: number;
}

const NOTIFICATIONS = 150;
const LEASE_MS = 30_000;
const CAPACITY = new Map([[undefined, { free: 4, freeFor: () => 4 }]]);

const clock = new ManualClock();
// Two processes on a database of their own, whose workers work when a test says so.
const start = () => useApi(() => startTestApi({ DELIVERY_WORKER: 'off' }, storeNamed('replay_schedules'), clock));
const apps = [start(), start()] as const;

class Crash extends Error {}

/** Two workers of one replay, which die or stand still between their writes and are taken for dead. */
class Play {
  private readonly random: () => number;
  private readonly stalled: (() => void)[] = [];
  private readonly tasks = new Set<Promise<void>>();
  private isCalm = false;

  constructor(seed: number) {
    this.random = seeded(seed);
    REPLAYING.arm(() => this.point());
    COUNTING.arm(() => this.point());
  }

  /** @param stop called once, somewhere in between */
  async run(hasEnded: () => Promise<boolean>, stop?: () => Promise<unknown>): Promise<void> {
    for (let turn = 0; !(await hasEnded()); turn += 1) {
      if (turn > 500) throw new Error('The replay does not end.');
      if (turn === 10) await stop?.();
      await this.act();
    }
    this.isCalm = true;
    for (const resume of this.stalled.splice(0)) resume();
    await Promise.all(this.tasks);
    await deliver();
  }

  end(): void {
    REPLAYING.disarm();
    COUNTING.disarm();
  }

  private async act(): Promise<void> {
    const dice = this.random();
    if (dice < 0.4) await this.claim();
    else if (dice < 0.6) this.stalled.splice(Math.floor(this.random() * this.stalled.length), 1)[0]?.();
    else if (dice < 0.8) clock.advance(Math.floor(this.random() * 1.5 * LEASE_MS));
    // What was replayed fails again, and would match again.
    else await deliver();
    await new Promise((resolve) => setImmediate(resolve));
  }

  private async claim(): Promise<void> {
    const { app } = apps[this.random() < 0.5 ? 0 : 1];
    const rows = await claimAll(app.get(ReplayQueue), CAPACITY);
    for (const row of rows) {
      const task = app
        .get(ReplayPortions)
        .next(row)
        .catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        })
        .finally(() => this.tasks.delete(task));
      this.tasks.add(task);
    }
  }

  private point(): Promise<void> {
    const dice = this.isCalm ? 1 : this.random();
    if (dice < 0.3) throw new Crash();
    if (dice < 0.6) return new Promise((resume) => this.stalled.push(resume));
    return Promise.resolve();
  }
}

const deliver = (): Promise<void> => apps[0].app.get(DeliveryWorker).drain();

describe('a replay whose workers die and stand still', () => {
  let session: TestSession;
  let play: Play;
  beforeEach(async () => {
    session = await apps[0].session();
    const { identifier: name } = await createWorkflow(session, [email('Hello', 'text')]);
    const subscribers = Array.from({ length: NOTIFICATIONS }, (_, n) => ({ subscriberId: `s${n}` }));
    await session.post('/v1/subscribers/bulk', { subscribers }).expect(201);
    await session.post('/v1/events/trigger/broadcast', { name, payload: {} }).expect(201);
    await deliver();
  });
  afterEach(() => play.end());

  const begin = (): Promise<ShownReplay> => dataOf(session.post('/v1/notifications/replay', { filter: {} }), 202);
  const shown = (id: string): Promise<ShownReplay> => dataOf(session.get(`/v1/notifications/replays/${id}`), 200);
  const counts = async (): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for (let page = 0; page < 2; page += 1) {
      const { data } = await pageOf<{ jobs: { replays?: number }[] }>(
        session.get(`/v1/notifications?limit=100&page=${page}`),
      );
      for (const { jobs } of data) {
        const key = String(jobs[0]?.replays ?? 0);
        found[key] = (found[key] ?? 0) + 1;
      }
    }
    return found;
  };
  const hasEnded = (id: string) => async (): Promise<boolean> => /^(completed|stopped)$/.test((await shown(id)).status);

  it.each([1, 2, 3, 4, 5, 6])(
    'should replay each notification exactly once, and count it once (seed %i)',
    async (seed) => {
      const { _id } = await begin();
      play = new Play(seed);
      await play.run(hasEnded(_id));
      expect(await counts()).toEqual({ 1: NOTIFICATIONS });
      expect(await shown(_id)).toMatchObject({ status: 'completed', examined: NOTIFICATIONS, replayed: NOTIFICATIONS });
    },
  );

  it.each([11, 12, 13])('should count what it has replayed when it is stopped (seed %i)', async (seed) => {
    const { _id } = await begin();
    play = new Play(seed);
    await play.run(hasEnded(_id), () => session.post(`/v1/notifications/replays/${_id}/stop`).expect(202));
    const { 1: replayed = 0, 0: left = 0, ...others } = await counts();
    expect(others).toEqual({});
    expect(replayed + left).toBe(NOTIFICATIONS);
    expect((await shown(_id)).replayed).toBe(replayed);
  });
});

import mongoose, { type Connection } from 'mongoose';
import { repetitions, workerStore } from '../../../../test/harness/index.js';
import { seeded } from '../../../../test/support/schedules.js';
import { PaceBook } from './pace-book.js';

const SEEDS = repetitions({ short: 12, long: 300 });
const START = Date.UTC(2026, 0, 1);

describe('PaceBook', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await mongoose.createConnection(workerStore().uri).asPromise();
  });
  afterAll(() => connection.close());

  const newId = (): string => new mongoose.Types.ObjectId().toHexString();

  it('should give out times that are an interval apart, and none beyond a second', async () => {
    const book = new PaceBook(connection);
    const wish = { id: newId(), intervalMs: 250, now: START };
    expect(await book.reserve(wish, 3)).toEqual({ times: [0, 250, 500].map((ms) => START + ms), next: START + 750 });
    const { times, next } = await book.reserve(wish, 9);
    expect(times).toEqual([750, 1_000, 1_250, 1_500].map((ms) => START + ms));
    expect(await book.reserve(wish, 1)).toEqual({ times: [], next });
    expect(await book.reserve({ ...wish, now: START + 9_000 }, 1)).toMatchObject({ times: [START + 9_000] });
  });

  it('should count from the latest time when the limit changes', async () => {
    const book = new PaceBook(connection);
    const wish = { id: newId(), intervalMs: 100_000, now: START };
    expect((await book.reserve(wish, 1)).times).toEqual([START]);
    expect(await book.reserve({ ...wish, now: START + 10 }, 1)).toEqual({ times: [], next: START + 100_000 });
    expect((await book.reserve({ ...wish, now: START + 10, intervalMs: 100 }, 1)).times).toEqual([START + 100]);
  });

  /**
   * Two processes with messages to send ask as they like, stand still, and die with times that they have not used. What they
   * could not send comes again.
   */
  const play = async (seed: number): Promise<{ left: number; rate: number; sent: number[] }> => {
    const random = seeded(seed);
    const pick = (count: number): number => Math.floor(random() * count);
    const rate = [0.5, 2, 7, 40][pick(4)] ?? 1;
    const wish = { id: newId(), intervalMs: 1_000 / rate };
    const books = [new PaceBook(connection), new PaceBook(connection)];
    let now = START;
    let left = 10 + pick(40);
    const sent: number[] = [];
    for (let step = 0; left > 0 && step < 2_000; step += 1) {
      now += pick(1_500);
      // Both at once, or one of them.
      const asking = books.filter(() => random() < 0.7).map((book) => [book, 1 + pick(8)] as const);
      const answers = await Promise.all(asking.map(([book, count]) => book.reserve({ ...wish, now }, count)));
      for (const { times } of answers) {
        // It dies: its times are lost, its messages are not.
        if (random() < 0.15) continue;
        for (const time of times.slice(0, left)) {
          expect(time).toBeLessThanOrEqual(now + 2_000 + wish.intervalMs);
          sent.push(time);
          left -= 1;
        }
      }
    }
    return { left, rate, sent };
  };

  it('should never let two messages of several processes leave within an interval, and all in the end', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { left, rate, sent } = await play(seed);
      expect({ seed, left }).toEqual({ seed, left: 0 });
      const times = [...sent].sort((a, b) => a - b);
      const gaps = times.slice(1).map((time, place) => time - (times[place] ?? 0));
      expect({ seed, gap: Math.min(...gaps) >= 1_000 / rate - 0.001 }).toEqual({ seed, gap: true });
    }
  });
});

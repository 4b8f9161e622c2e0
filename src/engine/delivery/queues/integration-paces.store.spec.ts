import mongoose, { type Connection } from 'mongoose';
import { ProviderError } from '#libs/channels';
import { workerStore } from '../../../../test/harness/index.js';
import { IntegrationHealth } from '../../../channels/integrations/index.js';
import { HeldBack } from './held-back.js';
import { IntegrationPaces } from './integration-paces.js';
import { PaceBook } from './pace-book.js';

const NOW = new Date('2026-01-01T12:00:00.000Z');
const at = (ms: number) => () => new Date(NOW.getTime() + ms);
const ENVIRONMENT = '65f000000000000000000001';

/** What would be stored with the integration. */
class Noted extends IntegrationHealth {
  readonly until: Date[] = [];

  constructor() {
    super(undefined as never, undefined as never, undefined as never);
  }

  override quiet(_tenant: unknown, _id: string, until: Date): Promise<void> {
    this.until.push(until);
    return Promise.resolve();
  }
}

describe('IntegrationPaces', () => {
  let connection: Connection;
  let health: Noted;
  beforeAll(async () => {
    connection = await mongoose.createConnection(workerStore().uri).asPromise();
  });
  beforeEach(() => {
    health = new Noted();
  });
  afterAll(() => connection.close());

  const newPaces = (book = new PaceBook(connection)): IntegrationPaces => new IntegrationPaces(book, health);
  const integrationOf = (messagesPerSecond?: number, channel: 'email' | 'chat' = 'email') => ({
    id: new mongoose.Types.ObjectId().toHexString(),
    channel,
    providerId: 'nodemailer',
    ...(messagesPerSecond !== undefined && { messagesPerSecond }),
  });
  /** When those that were held back come again, in milliseconds. */
  const heldBack = async (turns: Promise<void>[]): Promise<number[]> =>
    (await Promise.allSettled(turns))
      .flatMap((turn) => (turn.status === 'rejected' ? [(turn.reason as HeldBack).retryAfterMs] : []))
      .sort((a, b) => a - b);

  it('should let through as many as the limit says, over all processes, and spread the others', async () => {
    const processes = [newPaces(), newPaces()];
    const integration = integrationOf(10);
    const held = await heldBack(
      processes.flatMap((paces) => Array.from({ length: 30 }, () => paces.turn(integration, at(0)))),
    );
    // A second is waited for, and what a process takes at once reaches no further than a second beyond it.
    const through = 60 - held.length;
    expect(through).toBeGreaterThanOrEqual(10);
    expect(through).toBeLessThanOrEqual(20);
    expect(held[0]).toBeGreaterThanOrEqual(1_000);
    // Those of one process come one after the other.
    expect(held.at(-1)).toBeGreaterThanOrEqual(3_000);
  });

  it('should hold nothing without a limit, nor ask the store', async () => {
    const none = new PaceBook(undefined as never);
    const paces = newPaces(none);
    const integration = integrationOf();
    expect(await heldBack(Array.from({ length: 100 }, () => paces.turn(integration, at(0))))).toEqual([]);
  });

  it('should give up a time that it comes too late for', async () => {
    const asked: number[] = [];
    const late = new (class extends PaceBook {
      override reserve(): Promise<{ times: number[]; next: number }> {
        asked.push(performance.now());
        // The process stands still after it was given its time.
        for (const until = performance.now() + (asked.length === 1 ? 400 : 0); performance.now() < until;);
        return Promise.resolve({ times: [NOW.getTime()], next: NOW.getTime() + 100 });
      }
    })(connection);
    await newPaces(late).turn(integrationOf(10), at(0));
    expect(asked).toHaveLength(2);
  });

  it('should leave an account alone for as long as its provider says, in every process', async () => {
    const paces = newPaces();
    const limited = new ProviderError('Slower.', { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 });
    const away = new ProviderError('Away.', { code: 'unavailable', retryable: true, retryAfterMs: 7_000 });
    const [email, chat, other] = [integrationOf(), integrationOf(undefined, 'chat'), integrationOf()];
    for (const one of [email, chat]) await paces.note(ENVIRONMENT, one, limited, NOW);
    await paces.note(ENVIRONMENT, other, away, NOW);
    // The same answer to messages that were under way costs no further write.
    await paces.note(ENVIRONMENT, email, limited, new Date(NOW.getTime() + 100));
    expect(health.until).toEqual([at(7_000)()]);
    expect(await heldBack([email, chat, other].map((one) => paces.turn(one, at(1_000))))).toEqual([6_000]);
    const read = { ...email, quietUntil: at(7_000)() };
    // Each comes a little later than the one before it.
    expect(await heldBack([1, 2, 3].map(() => newPaces().turn(read, at(1_000))))).toEqual([6_000, 6_000, 6_000]);
    const another = newPaces();
    expect(await heldBack([1, 2, 3].map(() => another.turn(read, at(1_000))))).toEqual([6_000, 6_050, 6_100]);
    expect(await heldBack([another.turn(read, at(7_000)), paces.turn(email, at(7_000))])).toEqual([]);
  });

  it('should wait for a second after a 429 without a time, and for ten minutes at most', async () => {
    const paces = newPaces();
    const [short, long] = [integrationOf(), integrationOf()];
    const limited = (retryAfterMs?: number) =>
      new ProviderError('Slower.', { code: 'rate_limited', retryable: true, ...(retryAfterMs && { retryAfterMs }) });
    await paces.note(ENVIRONMENT, short, limited(), NOW);
    await paces.note(ENVIRONMENT, long, limited(86_400_000), NOW);
    expect(await heldBack([paces.turn(short, at(0)), paces.turn(long, at(0))])).toEqual([1_000, 600_000]);
  });
});

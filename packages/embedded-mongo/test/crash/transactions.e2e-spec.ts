import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launchEmbeddedMongo } from '../../src/index.js';
import { MongoClient, type Client } from '../support/server.js';

const CLIENTS = 8;
const ACCOUNTS = 20;
const ROUNDS = 3;
const EACH = 100;

interface Account {
  _id: number;
  balance: number;
}

interface Transfer {
  _id: string;
  from: number;
  to: number;
  amount: number;
}

const accountsOf = (client: Client) => client.db('bank').collection<Account>('accounts');
const transfersOf = (client: Client) => client.db('bank').collection<Transfer>('transfers');

/** Moves money until the store is gone. @returns the transfers that were committed, and those of which nobody knows */
async function transfer(client: Client, name: string): Promise<{ known: string[]; unknown: string[] }> {
  const known: string[] = [];
  for (let n = 0; ; n++) {
    const _id = `${name}-${n}`;
    const [from, to] = [(n * 7) % ACCOUNTS, (n * 11 + 3) % ACCOUNTS];
    const amount = (n % 5) + 1;
    const session = client.startSession();
    try {
      await session.withTransaction(
        async () => {
          await accountsOf(client).updateOne({ _id: from }, { $inc: { balance: -amount } }, { session });
          await transfersOf(client).insertOne({ _id, from, to, amount }, { session });
          await accountsOf(client).updateOne({ _id: to }, { $inc: { balance: amount } }, { session });
        },
        { timeoutMS: 5_000 },
      );
      known.push(_id);
    } catch {
      return { known, unknown: [_id] };
    } finally {
      await session.endSession().catch(() => undefined);
    }
  }
}

describe('kill -9 under transactions', () => {
  it('should leave each of them whole or not at all, and lose none that was committed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'embedded-crash-'));
    const known = new Set<string>();
    try {
      for (let round = 0; round <= ROUNDS; round++) {
        const store = await launchEmbeddedMongo({ dataDir });
        const client = await new MongoClient(store.uri, { serverSelectionTimeoutMS: 1_000 }).connect();
        if (round === 0) {
          await accountsOf(client).insertMany(Array.from({ length: ACCOUNTS }, (_, _id) => ({ _id, balance: EACH })));
        } else await assertWhole(client, known);
        if (round < ROUNDS) {
          const running = Array.from({ length: CLIENTS }, (_, one) => transfer(client, `${round}-${one}`));
          while ((await transfersOf(client).countDocuments()) < known.size + 30) await pause(10);
          process.kill(store.pid as number, 'SIGKILL');
          // Otherwise, the driver repeats a commit for two minutes.
          await client.close(true);
          for (const { known: some } of await Promise.all(running)) for (const id of some) known.add(id);
        }
        await client.close(true);
        await store.stop();
      }
      expect(known.size).toBeGreaterThan(ROUNDS * 20);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

/** The accounts hold what the transfers say. */
async function assertWhole(client: Client, known: ReadonlySet<string>): Promise<void> {
  const transfers = await transfersOf(client).find().toArray();
  const ids = new Set(transfers.map(({ _id }) => _id));
  expect([...known].filter((id) => !ids.has(id))).toEqual([]);
  const expected = Array.from({ length: ACCOUNTS }, () => EACH);
  for (const { from, to, amount } of transfers) {
    expected[from] = (expected[from] ?? 0) - amount;
    expected[to] = (expected[to] ?? 0) + amount;
  }
  const accounts = await accountsOf(client).find().sort({ _id: 1 }).toArray();
  expect(accounts.map(({ balance }) => balance)).toEqual(expected);
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type EmbeddedMongoProcess, launchEmbeddedMongo } from '../../src/index.js';
import { MongoClient, type Client } from '../support/server.js';

interface Row {
  _id: string;
  owner: number;
  n: number;
  tags: string[];
  details: unknown;
}

export interface CrashReport {
  inserts: number;
  updates: number;
  /** Acknowledged writes that are not there. */
  lost: string[];
  /** Documents that a reader saw, acknowledged or not, and that are not there. */
  vanished: string[];
  /** Documents that an index does not lead to, or entries that lead nowhere. */
  disagreements: string[];
}

const WRITERS = 20;
/** So many writes are acknowledged before the kill, however slow the machine is. */
const WRITES_AT_LEAST = 50;
/** Documents before the first round: a few writes later the store compresses new ones. */
const SEEDS = 250;
/** What every document has, so that compressing them is worth it. */
const DETAILS = { channelOfTheMessage: 'in_app', contentOfTheMessage: 'x'.repeat(100), attemptsThatWereMade: 1 };

/**
 * Kills the store with SIGKILL under concurrent writers, again and again, and then compares what was acknowledged with what is there,
 * document by document and index by index.
 */
export async function crashRounds(rounds: number, msPerRound: number): Promise<CrashReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'embedded-crash-'));
  const known = new Map<string, number>();
  const seen = new Set<string>();
  const report: CrashReport = { inserts: 0, updates: 0, lost: [], vanished: [], disagreements: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      await withStore(dataDir, async (client, store) => {
        if (round === 0) await prepare(client);
        await writeUntilKilled(client, store, { round, ms: msPerRound, known, seen, report });
      });
    }
    await withStore(dataDir, (client) => verify(client, known, seen, report));
    return report;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function withStore(
  dataDir: string,
  work: (client: Client, store: EmbeddedMongoProcess) => Promise<void>,
): Promise<void> {
  const store = await launchEmbeddedMongo({ dataDir });
  const client = await new MongoClient(store.uri, {
    maxPoolSize: WRITERS + 2,
    retryWrites: false,
    serverSelectionTimeoutMS: 10_000,
  }).connect();
  try {
    await work(client, store);
  } finally {
    await client.close(true);
    await store.stop();
  }
}

const rows = (client: Client): ReturnType<ReturnType<Client['db']>['collection']> =>
  client.db('crash').collection('rows');

async function prepare(client: Client): Promise<void> {
  await rows(client).createIndexes([
    { key: { owner: 1, n: -1 }, name: 'owner_n' },
    { key: { tags: 1 }, name: 'tags' },
    { key: { n: 1, _id: 1 }, name: 'n_id', unique: true },
  ]);
  const seeds = Array.from({ length: SEEDS }, (_, i) => ({
    _id: `seed-${i}`,
    owner: -1,
    n: i,
    tags: [],
    details: DETAILS,
  }));
  await rows(client).insertMany(seeds as never);
}

interface Round {
  readonly round: number;
  readonly ms: number;
  readonly known: Map<string, number>;
  readonly seen: Set<string>;
  readonly report: CrashReport;
}

async function writeUntilKilled(
  client: Client,
  store: EmbeddedMongoProcess,
  { round, ms, known, seen, report }: Round,
): Promise<void> {
  let over = false;
  const enough = report.inserts + WRITES_AT_LEAST;
  const writer = async (owner: number): Promise<void> => {
    for (let i = 0; !over; i++) {
      const _id = `${round}-${owner}-${i}`;
      try {
        await rows(client).insertOne({ _id, owner, n: i, tags: [`t${i % 7}`, `o${owner}`], details: DETAILS } as never);
        known.set(_id, i);
        report.inserts++;
        if (i % 3 !== 0) continue;
        await rows(client).updateOne(
          { _id } as never,
          { $set: { n: i + 1_000_000 }, $push: { tags: 'moved' } } as never,
        );
        known.set(_id, i + 1_000_000);
        report.updates++;
      } catch {
        return;
      }
    }
  };
  const reader = async (): Promise<void> => {
    for (let owner = 0; !over; owner = (owner + 1) % WRITERS) {
      try {
        const newest = rows(client).find({ owner }).project({ _id: 1 }).sort({ n: -1 }).limit(100);
        for (const { _id } of await newest.toArray()) seen.add(String(_id));
      } catch {
        return;
      }
    }
  };
  const writers = [...Array.from({ length: WRITERS }, (_, owner) => writer(owner)), reader()];
  const killed = (async () => {
    await pause(ms);
    while (report.inserts < enough) await pause(10);
    over = true;
    process.kill(store.pid as number, 'SIGKILL');
  })();
  await Promise.all([killed, ...writers]);
}

async function verify(
  client: Client,
  known: Map<string, number>,
  seen: ReadonlySet<string>,
  report: CrashReport,
): Promise<void> {
  const all = (await rows(client).find().toArray()) as unknown as Row[];
  const stored = new Map(all.map((row) => [row._id, row]));
  for (const [id, n] of known) {
    const row = stored.get(id);
    // an update that was not acknowledged may have been stored all the same
    if (!row || (row.n !== n && row.n !== n + 1_000_000) || !isDeepStrictEqual(row.details, DETAILS))
      report.lost.push(id);
  }
  report.vanished.push(...[...seen].filter((id) => !stored.has(id)));
  for (const hint of ['owner_n', 'tags', 'n_id']) {
    const ids = (
      await rows(client)
        .find({}, { hint, projection: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => String(_id));
    if (ids.length !== stored.size || ids.some((id) => !stored.has(id)))
      report.disagreements.push(`${hint}: ${ids.length} of ${stored.size}`);
  }
  for (let owner = 0; owner < WRITERS; owner++) {
    const counted = await rows(client).countDocuments({ owner });
    const expected = all.filter((row) => row.owner === owner).length;
    if (counted !== expected) report.disagreements.push(`owner ${owner}: ${counted} of ${expected}`);
  }
  const moved = await rows(client).countDocuments({ tags: 'moved' });
  if (moved !== all.filter(({ tags }) => tags.includes('moved')).length) report.disagreements.push('tags: moved');
  if ((await rows(client).estimatedDocumentCount()) !== stored.size)
    report.disagreements.push('the count of all documents');
}

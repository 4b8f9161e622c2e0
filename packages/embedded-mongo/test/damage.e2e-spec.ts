import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, ObjectId } from 'bson';
import { type EmbeddedMongoProcess, launchEmbeddedMongo, verifyEmbeddedMongo } from '../src/index.js';
import { PROGRAM } from './support/paths.js';
import { Prng } from './support/prng.js';
import { type Client, MongoClient, startTestServer } from './support/server.js';

const DOCUMENTS = 2_000;
const LARGE = 100_000;
const ORGANIZATIONS = 10;
const PAGE = 4096;
/* eslint-disable no-restricted-properties -- how long a test runs is no setting */
const ROUNDS = process.env['HERALD_TEST_LONG'] === '1' ? 40 : 2;
const SEED = Number(process.env['DAMAGE_SEED'] ?? 7);
/* eslint-enable no-restricted-properties */

interface Thing {
  _id: ObjectId;
  key: string;
  n: number;
  org: string;
  pad: string;
  recipientOfThing: string;
  channelOfThing: string;
  contentOfThing: string;
  changes: number;
}

const idOf = (n: number): ObjectId => new ObjectId(Buffer.from(`things-${String(n).padStart(5, '0')}`));
/** What has to be under a number; in every hundredth portion one that has pages of its own. */
const thing = (n: number): Thing => ({
  _id: idOf(n),
  key: `key-${n}`,
  n,
  org: `organization-${n % ORGANIZATIONS}`,
  pad: String(n * 7_919).repeat(n % 500 === 0 ? LARGE / 8 : 12),
  recipientOfThing: `subscriber-${n % 97}`,
  channelOfThing: 'in_app',
  contentOfThing: `The order ${n * 31} has been shipped`,
  changes: 0,
});

type Outcome = 'right' | 'missing' | 'error';

/** Compares what a read gave with what was stored. @throws if anything is wrong */
function judge(found: readonly Thing[], expected: readonly number[]): Outcome {
  for (const one of found) {
    const wanted = { ...thing(one.n), changes: one.changes };
    if (!Buffer.from(BSON.serialize(one)).equals(BSON.serialize(wanted)))
      throw new Error(`wrong data: ${JSON.stringify(one).slice(0, 300)}`);
  }
  const numbers = new Set(found.map(({ n }) => n));
  if (numbers.size !== found.length) throw new Error('a document was given twice');
  const wanted = new Set(expected);
  if (found.some(({ n }) => !wanted.has(n))) throw new Error('a document was given that was not asked for');
  return found.length === expected.length ? 'right' : 'missing';
}

const ALL = Array.from({ length: DOCUMENTS }, (_, n) => n);

/** Reads on every path. */
function reads(client: Client): (() => Promise<Outcome>)[] {
  const things = client.db('x').collection<Thing>('things');
  const portions = Array.from({ length: 8 }, (_, at) => ALL.filter((n) => n % 8 === at));
  const organizations = Array.from({ length: ORGANIZATIONS }, (_, at) => `organization-${at}`);
  return [
    async () => judge(await things.find({}).toArray(), ALL),
    async () => judge(await things.find({}).sort({ _id: -1 }).toArray(), ALL),
    async () => judge(await things.aggregate<Thing>([{ $match: { n: { $gte: 0 } } }]).toArray(), ALL),
    ...portions.map(
      (portion) => async () =>
        judge(await things.find({ key: { $in: portion.map((n) => `key-${n}`) } }).toArray(), portion),
    ),
    ...portions.map(
      (portion) => async () => judge(await things.find({ _id: { $in: portion.map(idOf) } }).toArray(), portion),
    ),
    ...organizations.map(
      (org, at) => async () =>
        judge(
          await things.find({ org }).sort({ n: -1, _id: -1 }).toArray(),
          ALL.filter((n) => n % ORGANIZATIONS === at),
        ),
    ),
    ...[3, 500, DOCUMENTS - 1].map((n) => async () => {
      const one = await things.findOneAndUpdate(
        { key: `key-${n}` },
        { $inc: { changes: 1 } },
        { returnDocument: 'after' },
      );
      return judge(one ? [one] : [], [n]);
    }),
    async () =>
      (await things.updateMany({}, { $inc: { changes: 1 } })).matchedCount === DOCUMENTS ? 'right' : 'missing',
    async () => judge(await things.find({}).toArray(), ALL),
  ];
}

type Damage = (file: string, random: Prng) => void;

function patch(file: string, at: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}

function bytesOf(file: string, at: number, length: number): Buffer {
  const handle = openSync(file, 'r');
  const bytes = Buffer.alloc(length);
  readSync(handle, bytes, 0, length, at);
  closeSync(handle);
  return bytes;
}

/** The first two pages say where the others are. */
const pageOf = (file: string, random: Prng): number => random.between(2, statSync(file).size / PAGE - 1) * PAGE;

const DAMAGES: Record<string, Damage> = {
  'one bit': (file, random) => {
    const at = pageOf(file, random) + random.between(0, PAGE - 1);
    patch(file, at, Buffer.from([(bytesOf(file, at, 1)[0] as number) ^ (1 << random.between(0, 7))]));
  },
  '512 bytes of garbage': (file, random) =>
    patch(
      file,
      pageOf(file, random) + random.between(0, 7) * 512,
      Buffer.from(Array.from({ length: 512 }, () => random.between(0, 255))),
    ),
  'a page of zeros': (file, random) => patch(file, pageOf(file, random), Buffer.alloc(PAGE)),
  'two pages swapped': (file, random) => {
    const [one, other] = [pageOf(file, random), pageOf(file, random)];
    const [first, second] = [bytesOf(file, one, PAGE), bytesOf(file, other, PAGE)];
    patch(file, one, second);
    patch(file, other, first);
  },
  'the last twentieth missing': (file) => truncateSync(file, Math.floor((statSync(file).size / PAGE) * 0.95) * PAGE),
  'half missing': (file) => truncateSync(file, Math.floor(statSync(file).size / PAGE / 2) * PAGE),
  'another file': (file, random) =>
    patch(file, 0, Buffer.from(Array.from({ length: statSync(file).size }, () => random.between(0, 255)))),
  'the first page of zeros': (file) => patch(file, 0, Buffer.alloc(PAGE)),
};

describe('a damaged data file', () => {
  if (!existsSync(PROGRAM)) {
    it.skip('needs the compiled program; build first', () => undefined);
    return;
  }
  const origin = mkdtempSync(join(tmpdir(), 'embedded-damage-'));
  let dataDir: string;
  let file: string;

  beforeAll(async () => {
    const running = await startTestServer({ directory: origin });
    const things = running.client.db('x').collection<Thing>('things');
    await things.createIndexes([
      { key: { key: 1 }, unique: true, name: 'key' },
      { key: { org: 1, n: -1, _id: -1 }, name: 'org' },
      { key: { n: 1 }, name: 'n' },
    ]);
    for (let from = 0; from < DOCUMENTS; from += 100) await things.insertMany(ALL.slice(from, from + 100).map(thing));
    // with another dictionary
    await running.client
      .db('x')
      .collection('others')
      .insertMany(
        ALL.slice(0, 300).map((n) => ({
          other: n,
          contentOfOther: `other ${n}`,
          stateOfTheOther: 'sent',
          channelOfTheOther: 'chat',
        })),
      );
    await running.client.close();
    await running.server.close();
  });

  afterAll(() => rmSync(origin, { recursive: true, force: true }));

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'embedded-damaged-'));
    mkdirSync(join(dataDir, 'store'));
    file = join(dataDir, 'store', 'data.mdb');
    copyFileSync(join(origin, 'data.mdb'), file);
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  async function verified(): Promise<string[]> {
    const found: string[] = [];
    await verifyEmbeddedMongo({ dataDir, onDamage: (sentence) => found.push(sentence) }).catch((error: unknown) =>
      found.push((error as Error).message),
    );
    return found;
  }

  async function launch(fatal: string[]): Promise<EmbeddedMongoProcess | undefined> {
    const onFatal = ({ message }: Error): void => void fatal.push(message);
    return launchEmbeddedMongo({ dataDir, flush: false, onFatal }).catch(
      ({ message }: Error) => void fatal.push(message),
    );
  }

  /** What each read gave, and the sentences with which the store ended. */
  async function readAll(): Promise<{ outcomes: Outcome[]; fatal: string[] }> {
    const fatal: string[] = [];
    const store = await launch(fatal);
    if (!store) return { outcomes: ['error'], fatal };
    const outcomes: Outcome[] = [];
    const client = new MongoClient(store.uri, { serverSelectionTimeoutMS: 1_000, maxPoolSize: 1 });
    try {
      for (const read of reads(client)) {
        if (fatal.length > 0) break;
        outcomes.push(
          await read().catch((error: Error) => {
            if (error.constructor === Error) throw error;
            return 'error' as const;
          }),
        );
      }
    } finally {
      await client.close();
      await store.stop();
    }
    return { outcomes, fatal };
  }

  it('should be told from a sound one', async () => {
    expect(await verified()).toEqual([]);
    const { outcomes, fatal } = await readAll();
    expect([new Set(outcomes), fatal]).toEqual([new Set(['right']), []]);
    expect(await verified()).toEqual([]);
  });

  const cases = Object.keys(DAMAGES).flatMap((name, at) =>
    Array.from({ length: at < 4 ? ROUNDS : 1 }, (_, round): [string, number] => [name, SEED + round]),
  );
  // the page from which all others are reached
  cases.push(['two pages swapped', 315]);
  it.each(cases)(
    'should never serve anything else than was stored, and be noticed: %s (seed %i)',
    async (name, seed) => {
      (DAMAGES[name] as Damage)(file, new Prng(seed * 31 + Object.keys(DAMAGES).indexOf(name)));
      const found = await verified();
      const { outcomes, fatal } = await readAll();
      // what no read needs, a free page, is no damage
      if (found.length === 0) expect([new Set(outcomes), fatal]).toEqual([new Set(['right']), []]);
      for (const message of fatal) expect(message).toMatch(/damage|cut short|could not be started \(exit code 100\): /);
      for (const sentence of found) expect(sentence).not.toMatch(/undefined|\n/);
    },
  );
});

import '../../packages/embedded-mongo/jest.setup.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Types } from 'mongoose';
import { parseFilter } from '../../packages/embedded-mongo/src/query/parse.js';
import { Engine } from '../../packages/embedded-mongo/src/store/engine.js';
import { search, type SearchStats } from '../../packages/embedded-mongo/src/search/search.js';
import { startTestServer } from '../../packages/embedded-mongo/test/support/server.js';
import type { ListNotificationsQuery } from '../../src/outcomes/notifications/notification.dto.js';
import { NotificationFilter } from '../../src/outcomes/notifications/notification-filter.js';
import { NotificationSchema } from '../../src/engine/delivery/records/notification.js';

const ROWS = 5_000;
const LIMIT = 11;
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const environment = new Types.ObjectId();
const at = (row: number): string => new Date(START + row * MINUTE).toISOString();

/** Rare states lie at the old end: whoever reads from the newest row on without an index has to read all of them. */
function rowOf(row: number): Record<string, unknown> {
  const isFailed = row < 20;
  return {
    _id: new Types.ObjectId(),
    _environmentId: environment,
    status: isFailed ? 'failed' : row < 40 ? 'canceled' : 'completed',
    steps: [{ status: isFailed ? 'failed' : 'completed', ...(row < 10 && { deadLetter: true }) }],
    channels: ['email'],
    createdAt: new Date(START + row * MINUTE),
  };
}

const [usual, other] = [new Types.ObjectId(), new Types.ObjectId()];

/** Every other run has failed, and every other run is of the other workflow; only the first five are both. */
function failingRowOf(row: number): Record<string, unknown> {
  const isBoth = row < 5;
  const isFailed = isBoth || row % 2 === 0;
  const isOther = isBoth || row % 2 === 1;
  return {
    _id: new Types.ObjectId(),
    _environmentId: environment,
    _templateId: isOther ? other : usual,
    transactionId: isOther ? 'broadcast' : `order-${row}`,
    status: isFailed ? 'failed' : 'completed',
    steps: [{ status: isFailed ? 'failed' : 'completed' }],
    channels: isOther ? ['in_app', 'sms'] : ['in_app', 'email'],
    createdAt: new Date(START + row * MINUTE),
  };
}

/** A stored collection with the indexes of notifications. */
class StoredRows {
  private constructor(
    private readonly directory: string,
    private readonly engine: Engine,
  ) {}

  static async of(row: (place: number) => Record<string, unknown>): Promise<StoredRows> {
    const directory = mkdtempSync(join(tmpdir(), 'list-indexes-'));
    const { client, stop } = await startTestServer({ directory });
    const collection = client.db('herald').collection('notifications');
    for (const [key, options] of NotificationSchema.indexes()) {
      await collection.createIndex(key as Record<string, 1>, options as object);
    }
    await collection.insertMany(Array.from({ length: ROWS }, (_, place) => row(place)));
    await stop();
    return new StoredRows(directory, new Engine(directory, false));
  }

  async close(): Promise<void> {
    await this.engine.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** How many rows are found on the first page, and how many were read for it. */
  async work(query: Partial<ListNotificationsQuery>): Promise<{ found: number; examined: number }> {
    const tenant = { environmentId: environment.toHexString() } as never;
    const builder = new NotificationFilter(undefined as never, undefined as never, undefined as never);
    const collection = this.engine.find('herald.notifications');
    if (collection === undefined) throw new Error('The collection is not there.');
    const stats: SearchStats = { examined: 0, scanned: false };
    const sort = [
      { path: ['createdAt'], direction: -1 },
      { path: ['_id'], direction: -1 },
    ];
    let found = 0;
    for (const filter of await builder.build(tenant, query)) {
      const request = { filter: parseFilter(filter), sort, skip: 0, limit: LIMIT };
      found += [...search(this.engine, collection, request as never, stats)].flat().length;
    }
    return { found: Math.min(found, LIMIT), examined: stats.examined };
  }
}

describe('lists of notifications', () => {
  let rows: StoredRows;
  beforeAll(async () => {
    rows = await StoredRows.of(rowOf);
  });
  afterAll(() => rows.close());

  it.each<[string, Partial<ListNotificationsQuery>, number]>([
    ['nothing', {}, 11],
    ['a rare state', { status: ['failed'] }, 11],
    ['several rare states', { status: ['failed', 'canceled'] }, 11],
    ['all rare states', { status: ['pending', 'failed', 'merged', 'canceled'] }, 11],
    ['rare states of one index', { status: ['pending', 'canceled'] }, 11],
    ['a rare state and the usual one', { status: ['failed', 'completed'] }, 11],
    ['a state that none is in', { status: ['pending'] }, 0],
    ['dead letters', { deadLetter: true }, 10],
    ['dead letters as a state', { status: ['dead'] }, 10],
    ['dead letters and another state', { status: ['dead', 'active'] }, 10],
    ['an early time', { from: at(100), to: at(105) }, 6],
    ['a state and a time', { status: ['failed'], after: at(3), before: at(1_000) }, 11],
    ['dead letters and a time', { deadLetter: true, before: at(4) }, 5],
  ])('should be read by an index when they are filtered by %s', async (_case, query, expected) => {
    const { found, examined } = await rows.work(query);
    expect(found).toBe(expected);
    expect(examined).toBeLessThan(100);
  });
});

describe('lists of many failed notifications', () => {
  let rows: StoredRows;
  beforeAll(async () => {
    rows = await StoredRows.of(failingRowOf);
  });
  afterAll(() => rows.close());

  const otherId = other.toHexString();
  it.each<[string, Partial<ListNotificationsQuery>, number]>([
    ['a transaction of many', { transactionId: 'broadcast' }, 11],
    ['a transaction of many and a time', { transactionId: 'broadcast', to: at(3) }, 4],
    ['a transaction of many and the state', { transactionId: 'broadcast', status: ['failed'] }, 5],
    ['a workflow', { templates: [otherId] }, 11],
    ['a workflow and the state', { templates: [otherId], status: ['failed'] }, 5],
    ['a workflow, the state and a time', { templates: [otherId], status: ['failed'], from: at(2), to: at(90) }, 3],
    ['several workflows and the state', { templates: [otherId, usual.toHexString()], status: ['failed'] }, 11],
    ['a channel and the state', { channels: ['sms'], status: ['failed'] }, 5],
    ['several channels and the state', { channels: ['sms', 'push'], status: ['failed'] }, 5],
    ['a channel, the state and a time', { channels: ['sms'], status: ['failed'], from: at(3) }, 2],
  ])('should be read by an index when they are filtered by %s', async (_case, query, expected) => {
    const { found, examined } = await rows.work(query);
    expect(found).toBe(expected);
    expect(examined).toBeLessThan(100);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Types } from 'mongoose';
import { parseFilter } from '../../packages/embedded-mongo/src/query/parse.js';
import { Engine } from '../../packages/embedded-mongo/src/store/engine.js';
import { search, type SearchStats } from '../../packages/embedded-mongo/src/search/search.js';
import { startTestServer } from '../../packages/embedded-mongo/test/support/server.js';
import type { ListNotificationsQuery } from '../../src/notifications/notification.dto.js';
import { NotificationFilter } from '../../src/notifications/notification-filter.js';
import { NotificationSchema } from '../../src/delivery/records/notification.js';

const ROWS = 5_000;
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

describe('lists of notifications', () => {
  let directory: string;
  let engine: Engine;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'list-indexes-'));
    const { client, stop } = await startTestServer({ directory });
    const collection = client.db('herald').collection('notifications');
    for (const [key, options] of NotificationSchema.indexes()) {
      await collection.createIndex(key as Record<string, 1>, options as object);
    }
    await collection.insertMany(Array.from({ length: ROWS }, (_, row) => rowOf(row)));
    await stop();
    engine = new Engine(directory, false);
  });
  afterAll(async () => {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** How many rows are found on the first page, and how many were read for it. */
  async function work(query: Partial<ListNotificationsQuery>): Promise<{ found: number; examined: number }> {
    const tenant = { environmentId: environment.toHexString() } as never;
    const filter = await new NotificationFilter(undefined as never, undefined as never).build(tenant, query as never);
    const collection = engine.find('herald.notifications');
    if (collection === undefined) throw new Error('The collection is not there.');
    const stats: SearchStats = { examined: 0, scanned: false };
    const sort = [
      { path: ['createdAt'], direction: -1 },
      { path: ['_id'], direction: -1 },
    ];
    const request = { filter: parseFilter(filter), sort, skip: 0, limit: 11 };
    const found = [...search(engine, collection, request as never, stats)].flat().length;
    return { found, examined: stats.examined };
  }

  it.each<[string, Partial<ListNotificationsQuery>, number]>([
    ['nothing', {}, 11],
    ['a rare state', { status: ['failed'] }, 11],
    ['several rare states', { status: ['failed', 'canceled'] }, 11],
    ['a state that none is in', { status: ['pending'] }, 0],
    ['dead letters', { deadLetter: true }, 10],
    ['an early time', { from: at(100), to: at(105) }, 6],
    ['a state and a time', { status: ['failed'], after: at(3), before: at(1_000) }, 11],
    ['dead letters and a time', { deadLetter: true, before: at(4) }, 5],
  ])('should be read by an index when they are filtered by %s', async (_case, query, expected) => {
    const { found, examined } = await work(query);
    expect(found).toBe(expected);
    expect(examined).toBeLessThan(100);
  });
});

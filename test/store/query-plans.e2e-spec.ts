import { readFileSync } from 'node:fs';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, IndexOptions, mongo, Schema } from 'mongoose';
import { ManualClock } from '#libs/common';
import { databaseOf } from '#libs/persistence';
import { type TestApp, TestSession } from '../harness/index.js';
import { FairSlots } from '#libs/work';
import { DeliveryQueues, DeliveryWorker } from '../../src/engine/delivery/index.js';
import { QuestionQueue, QuestionWorker } from '../../src/engine/questions/index.js';
import { ScheduleQueue, ScheduleWorker } from '../../src/engine/schedules/index.js';
import { SnoozeWorker } from '../../src/engine/messages/marks/index.js';
import { WebhookQueue, WebhookWorker } from '../../src/outcomes/webhooks/index.js';
import { type AllChannels, startAllChannels } from '../support/all-channels.js';
import type { Json } from '../support/answers.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../support/delivery-api.js';
import { enlarge } from '../support/enlarge.js';
import { indexesOf, type LoggedQuery, namesField, QueryLog, stagesOf } from '../support/query-log.js';
import { TRAFFIC } from '../support/store-traffic.js';
import { startTestApi } from '../support/test-api.js';
import { STORE_SCHEMA } from '../../src/bootstrap/store-schema.js';

/** Enough that reading everything, or ordering it in memory, costs more than following an index. */
const SIZE = 2_500;

/** Queries whose plan is right although it reads a collection or orders in memory: how they begin, and why. */
const PLANNED_OTHERWISE: Record<string, string> = {
  'aggregate notifications {_environmentId: ?, createdAt: {$gte: ?, $lte: ?}} $group $sort': 'orders days',
  'find environments {_organizationId: ?': 'an organization has two environments',
  'find realTimeProcesses {aliveUntil': 'one record for each process',
  'find topics {_environmentId: ?, deleted: false, key: ': 'one topic for each key, as many as the request names',
  'find messages {_environmentId: ?, _id: {$in: [?]}': 'as many as the request names',
  'find subscribers {_environmentId: ?, _id: ?} sort': 'one record, as all that an export reads is sorted',
  'find preferences {_environmentId: ?, _subscriberId: ?} sort': 'those of one person, for an export',
  'find messages {$or: [{severity: ?}], _environmentId: ?, _subscriberId: ?':
    'the index of unseen messages may have fewer than the feed has to be followed for',
};

/** Queries of sharded collections that go to every shard: how they begin, and why. */
const OF_ALL_SHARDS: Record<string, string> = {
  'find notifications {wakeAt': 'claims look for due work of all environments',
  'find notifications {_environmentId: {$gt: ?}, lane': 'claims under a backlog look for environments with due work',
  'find triggerEvents {wakeAt': 'claims look for due work of all environments',
  'find triggerEvents {_environmentId: {$gt: ?}, lane': 'claims under a backlog look for environments with due work',
  'find messages {wakeAt': 'claims of snoozed messages',
  'find pushReceipts {wakeAt': 'claims of receipts of push messages',
  'find messages {untold': 'opens and clicks of all environments that a dead process did not tell of',
  'find earlyEngagements {lookAt': 'opens and clicks of all environments whose messages were not stored yet',
  'find earlyReports {lookAt': 'reports of all environments whose messages were not stored yet',
  'find auditEntries {untold': 'changes of all environments that a dead process did not tell of',
  'find webhookDeliveries {wakeAt': 'claims look for due work of all endpoints',
  'find webhookDeliveries {_endpointId: {$gt': 'claims under a backlog look for endpoints with due work',
  'find webhookDeliveries {_endpointId: ?, wakeAt': 'claims under a backlog take the share of an endpoint',
  'find notifications {lease': 'workers look for suspects of all environments',
  'find notifications {dueSince': 'the backlog of all environments, on request',
  'aggregate notifications {dueSince': 'the backlog of all environments, on request',
  'aggregate notifications {suspectGroup': 'the backlog of all environments, on request',
  'aggregate notifications {setAsideAt': 'the backlog of all environments, on request',
  'find triggerEvents {lease': 'workers look for suspects of all environments',
  'find triggerEvents {dueSince': 'the backlog of all environments, on request',
  'aggregate triggerEvents {dueSince': 'the backlog of all environments, on request',
  'aggregate triggerEvents {suspectGroup': 'the backlog of all environments, on request',
  'aggregate triggerEvents {setAsideAt': 'the backlog of all environments, on request',
  'find webhookDeliveries {lease': 'workers look for suspects of all environments',
  'find webhookDeliveries {dueSince': 'the backlog of all environments, on request',
  'aggregate webhookDeliveries {dueSince': 'the backlog of all environments, on request',
  'aggregate webhookDeliveries {suspectGroup': 'the backlog of all environments, on request',
  'aggregate webhookDeliveries {setAsideAt': 'the backlog of all environments, on request',
  'aggregate notifications {wakeAt': 'the backlog of all environments, on request',
  'aggregate triggerEvents {wakeAt': 'the backlog of all environments, on request',
  'aggregate webhookDeliveries {wakeAt': 'the backlog of all endpoints, on request',
  'find triggerEvents {_id': 'lists of notifications name their events by id',
  'update notifications {_id: ?, status: {$ne: active}, updatedAt': 'a replay, on request',
  'find alerts {wakeAt': 'claims look for due work of all environments',
  'find schedules {wakeAt': 'claims look for due work of all environments',
  'find schedules {_environmentId: {$gt: ?}': 'claims under a backlog look for environments with due work',
  'find schedules {dueSince': 'the backlog of all environments, on request',
  'aggregate schedules {dueSince': 'the backlog of all environments, on request',
  'aggregate schedules {suspectGroup': 'the backlog of all environments, on request',
  'aggregate schedules {setAsideAt': 'the backlog of all environments, on request',
  'aggregate schedules {wakeAt': 'the backlog of all environments, on request',
  'find questions {wakeAt': 'claims look for due work of all environments',
  'find questions {_environmentId: {$gt: ?}': 'claims under a backlog look for environments with due work',
  'find questions {dueSince': 'the backlog of all environments, on request',
  'aggregate questions {dueSince': 'the backlog of all environments, on request',
  'aggregate questions {suspectGroup': 'the backlog of all environments, on request',
  'aggregate questions {setAsideAt': 'the backlog of all environments, on request',
  'aggregate questions {wakeAt': 'the backlog of all environments, on request',
  'find erasures {wakeAt': 'claims look for due work of all environments',
  'find erasures {_environmentId: {$gt: ?}': 'claims under a backlog look for environments with due work',
  'update subscribers {onlineIn': 'ends the connections of a process that died',
};

/** What users wait for, and what happens for each notification. Queries of it name whole shard keys. */
const HOT = ['trigger', 'digests', 'throttles', 'feeds', 'counts', 'marks'];
const HOT_BY_ENVIRONMENT: Record<string, string> = {
  'find subscribers {_environmentId: ?, deleted: false, sessionOnly': 'a broadcast reads all subscribers',
  'find subscribers {_environmentId: ?, _id': 'claimed runs and reports name records of subscribers',
  'find messages {_environmentId: ?, _id': 'webhooks name messages by id',
  'find messages {_environmentId: ?, channel: {$in': 'tallies are counted each minute, beside whatever goes on',
  'find messages {_environmentId: ?, lastReadDate': 'tallies are counted each minute, beside whatever goes on',
  'find topics': 'topics lie with their environment',
  'update notifications {_environmentId: ?': 'a cancellation ends the runs of an event, whoever its recipients are',
  'find notifications {_environmentId: ?': 'a cancellation looks for the runs of an event',
  'delete subscribers {_environmentId: ?, _id': 'an erasure removes one record',
  'find triggerEvents {_environmentId: ?, transactionId: {$gt': 'an erasure looks for events that name the person',
  'find triggerEvents {$or: [{actor.subscriberId': 'an erasure looks for events that name the person',
  'aggregate notifications {_environmentId: ?, status: canceled': 'a cancellation counts what it has canceled',
  'aggregate notifications {_environmentId: ?, digestForOthers': 'a cancellation counts what has left a digest',
};

let channels: AllChannels;
let delivery: DeliveryApi;
let accepting: TestApp;
let connection: Connection;
let db: mongo.Db;
let queries: LoggedQuery[];
/** What the store explains, in the order of the queries. */
let plans: unknown[];

beforeAll(async () => {
  const store = { ...storeNamed('query_plans'), monitorCommands: true };
  const clock = new ManualClock();
  channels = await startAllChannels();
  delivery = await startDeliveryApi('query_plans', { RATE_LIMIT: '1' }, clock, store);
  accepting = await startTestApi({ DELIVERY_WORKER: 'off', REAL_TIME: 'off' }, store, clock);
  connection = delivery.api.app.get<Connection>(getConnectionToken());
  db = databaseOf(connection);
  const log = new QueryLog(connection.getClient());
  const session = await delivery.api.session();
  const elsewhere = new TestSession(accepting.url, session);
  for (const [part, make] of Object.entries(TRAFFIC)) {
    log.part = part;
    await make({ delivery, session, elsewhere, channels });
  }
  log.part = undefined;
  await enlarge(db, [...new Set(log.all.map(({ collection }) => collection))], SIZE);
  await claim(log);
  queries = log.all;
  plans = [];
  for (const { command } of queries) plans.push(await db.command({ explain: command, verbosity: 'queryPlanner' }));
});

afterAll(async () => {
  await accepting.close();
  await delivery.api.close();
  await channels.close();
});

/** Claims of a long backlog, which the copies are, and everything that workers do with what they hold. */
async function claim(log: QueryLog): Promise<void> {
  const { app } = delivery.api;
  for (const worker of [DeliveryWorker, WebhookWorker, ScheduleWorker, QuestionWorker]) {
    app.get<DeliveryWorker>(worker).onModuleDestroy();
    await app.get<DeliveryWorker>(worker).beforeApplicationShutdown();
  }
  const { events, notifications } = app.get(DeliveryQueues);
  const room = (lane?: string) => new Map([[lane, new FairSlots(20, 10)]]);
  for (const { queued, name, lane } of [
    { queued: notifications, name: 'notifications', lane: 'store' },
    { queued: events, name: 'triggerEvents', lane: 'expand' },
    { queued: app.get(WebhookQueue), name: 'webhookDeliveries', lane: undefined },
    { queued: app.get(ScheduleQueue), name: 'schedules', lane: undefined },
    { queued: app.get(QuestionQueue), name: 'questions', lane: undefined },
  ]) {
    const queue = queued as typeof notifications;
    const due = { wakeAt: new Date(1), ...(lane !== undefined && { lane }) };
    log.part = undefined;
    await db.collection(name).updateMany({}, { $set: due, $unset: { lease: 1 } });
    log.part = 'claims';
    const records = await queue.claim(room(lane));
    await queue.backlog();
    await queue.renew(records);
    await queue.release(records.slice(2));
    await queue.suspects?.park(records.slice(0, 2), new Date(8_640_000_000_000));
    const heads = (await queue.suspects?.find(true)) ?? [];
    await queue.suspects?.release((await queue.suspects.claim(heads, 1)).slice(0, 1));
  }
  await app.get(SnoozeWorker).claim();
  log.part = undefined;
}

const begins = (shape: string, known: Record<string, string>): boolean =>
  Object.keys(known).some((beginning) => shape.startsWith(beginning));
const schemas = (): { collection: string; schema: Schema }[] =>
  Object.values(connection.models).map(({ collection, schema }) => ({ collection: collection.collectionName, schema }));
/** A batch of more records than are worth naming one by one: it goes to most shards of its environments. */
const isLarge = ({ _id }: Json): boolean => ((_id as { $in?: unknown[] } | undefined)?.$in ?? []).length > 16;
const shardKeyOf = (schema: Schema): string[] =>
  Object.keys((schema.get('shardKey') as unknown as Record<string, 1> | null) ?? {});
const shardKeys = (): Map<string, string[]> =>
  new Map(schemas().map(({ collection, schema }) => [collection, shardKeyOf(schema)]));

describe('every query', () => {
  it('should be among those of the traffic that concern each collection', () => {
    const asked = new Set(queries.map(({ collection }) => collection));
    const silent = schemas().filter(({ collection }) => !asked.has(collection));
    expect(silent.map(({ collection }) => collection)).toEqual([]);
    expect(queries.length).toBeGreaterThan(200);
  });

  it('should be of collections that Herald names where it shares a database with another application', () => {
    const asked = new Set(queries.map(({ collection }) => collection));
    expect([...asked].filter((name) => !STORE_SCHEMA.collections.includes(name))).toEqual([]);
  });

  it('should follow an index, and leave nothing to be ordered in memory', () => {
    const faults: string[] = [];
    const used = new Set<string>();
    for (const [at, { shape, during }] of queries.entries()) {
      const wrong = stagesOf(plans[at]).filter((stage) => stage === 'COLLSCAN' || stage === 'SORT');
      if (wrong.length === 0) continue;
      const known = Object.keys(PLANNED_OTHERWISE).find((beginning) => shape.startsWith(beginning));
      if (known === undefined) faults.push(`${wrong.join()}: ${shape} (${[...during].join()})`);
      else used.add(known);
    }
    expect(faults).toEqual([]);
    expect(Object.keys(PLANNED_OTHERWISE).filter((known) => !used.has(known))).toEqual([]);
  });
});

describe('an index that each notification has an entry in', () => {
  /** The index of unseen messages holds those in the app. */
  const isOfAll = ({ name, partialFilterExpression }: IndexOptions): boolean =>
    partialFilterExpression === undefined || name === 'inbox_counts';

  it('should serve a query, unless it keeps records unique or lets them expire', () => {
    const followed = new Set(
      queries.flatMap(({ collection }, at) => indexesOf(plans[at]).map((name) => `${collection} ${name}`)),
    );
    const declared = schemas()
      .filter(({ collection }) => ['triggerEvents', 'notifications', 'messages'].includes(collection))
      .flatMap(({ collection, schema }) =>
        schema
          .indexes()
          .filter(
            ([, options]) => isOfAll(options) && options.unique !== true && options.expireAfterSeconds === undefined,
          )
          .map(([key, { name }]) => `${collection} ${name ?? Object.entries(key).flat().join('_')}`),
      );
    expect(declared).toHaveLength(9);
    expect(declared.filter((index) => !followed.has(index))).toEqual([]);
  });
});

describe('an index by which records expire', () => {
  it('should be the last of its collection, which the embedded store can keep apart from others (ADR 40)', () => {
    const faults = schemas().filter(({ schema }) => {
      const expiring = schema.indexes().findIndex(([, options]) => options.expireAfterSeconds !== undefined);
      return expiring >= 0 && expiring < schema.indexes().length - 1;
    });
    expect(faults.map(({ collection }) => collection)).toEqual([]);
  });
});

describe('a sharded collection', () => {
  const sharded = (): { collection: string; schema: Schema; key: string[] }[] =>
    schemas()
      .map((one) => ({ ...one, key: shardKeyOf(one.schema) }))
      .filter(({ key }) => key.length > 0);
  const startsWith = (index: Record<string, unknown>, key: readonly string[]): boolean =>
    key.every((field, place) => Object.keys(index)[place] === field && index[field] === 1);

  it('should be in docs/scaling.md with its shard key', () => {
    const page = readFileSync('docs/scaling.md', 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (`[^|]+`) +\|/gm)];
    const documented = rows.map(([, name, key = '']) => [name, key.replaceAll('`', '')]);
    expect(documented.sort()).toEqual(
      sharded()
        .map(({ collection, key }) => [collection, key.join(', ')])
        .sort(),
    );
  });

  it('should have unique indexes that begin with its shard key', () => {
    const faults = sharded().flatMap(({ collection, schema, key }) =>
      schema
        .indexes()
        .filter(([index, options]) => options.unique === true && !startsWith(index, key))
        .map(([index]) => `${collection} ${JSON.stringify(index)}`),
    );
    expect(faults).toEqual([]);
  });

  it('should have an index of all its records that begins with its shard key', () => {
    const isOfAll = (options: object): boolean => !('partialFilterExpression' in options) && !('sparse' in options);
    const faults = sharded().filter(
      ({ schema, key }) =>
        key.join() !== '_id' &&
        !schema.indexes().some(([index, options]) => isOfAll(options) && startsWith(index, key)),
    );
    expect(faults.map(({ collection }) => collection)).toEqual([]);
  });

  it('should have no records without a value of its shard key', async () => {
    const faults: string[] = [];
    for (const { collection, key } of sharded()) {
      for (const field of key) {
        const lacking = await db.collection(collection).countDocuments({ [field]: null });
        if (lacking > 0) faults.push(`${collection}.${field}: ${lacking}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('should be asked by the first field of its shard key at least', () => {
    const keys = shardKeys();
    const faults = queries.filter(({ collection, filter, shape }) => {
      const [first] = keys.get(collection) ?? [];
      return first !== undefined && !namesField(filter, first) && !begins(shape, OF_ALL_SHARDS);
    });
    expect(faults.map(({ shape, during }) => `${shape} (${[...during].join()})`)).toEqual([]);
  });

  it('should be asked by its whole shard key for what users wait for, and for each notification', () => {
    const keys = shardKeys();
    const faults = queries.filter(({ collection, filter, shape, during }) => {
      const key = keys.get(collection) ?? [];
      const isHot = HOT.some((part) => during.has(part));
      const isNamed = isLarge(filter) || key.every((field) => namesField(filter, field));
      return isHot && !isNamed && !begins(shape, OF_ALL_SHARDS) && !begins(shape, HOT_BY_ENVIRONMENT);
    });
    expect(faults.map(({ shape, during }) => `${shape} (${[...during].join()})`)).toEqual([]);
  });
});

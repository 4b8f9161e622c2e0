import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { ManualClock } from '#libs/common';
import { databaseOf } from '#libs/persistence';
import { TestSession } from '#libs/testing';
import { type AllChannels, startAllChannels } from '../support/all-channels.js';
import { startDeliveryApi, type DeliveryApi, storeNamed } from '../support/delivery.js';
import { enlarge } from '../support/enlarge.js';
import { type LoggedQuery, QueryLog, stagesOf } from '../support/query-log.js';
import { TRAFFIC } from '../support/store-traffic.js';
import { startTestApi } from '../support/test-api.js';
import type { TestApp } from '#libs/testing';

let channels: AllChannels;
let delivery: DeliveryApi;
let accepting: TestApp;
let db: mongo.Db;
let log: QueryLog;

beforeAll(async () => {
  const store = { ...storeNamed('query_plans'), monitorCommands: true };
  const clock = new ManualClock();
  channels = await startAllChannels();
  delivery = await startDeliveryApi('query_plans', { RATE_LIMIT: '1' }, clock, store);
  accepting = await startTestApi({ DELIVERY_WORKER: 'off', REAL_TIME: 'off' }, store, clock);
  const connection = delivery.api.app.get<Connection>(getConnectionToken());
  db = databaseOf(connection);
  log = new QueryLog(connection.getClient());
  const session = await delivery.api.session();
  const elsewhere = new TestSession(accepting.url, session);
  for (const [part, make] of Object.entries(TRAFFIC)) {
    log.part = part;
    await make({ delivery, session, elsewhere, channels });
  }
  log.part = 'end';
});

afterAll(async () => {
  await accepting.close();
  await delivery.api.close();
  await channels.close();
});

it('should be planned', async () => {
  const queries = log.all;
  const names = [...new Set(queries.map(({ collection }) => collection))];
  await enlarge(db, names, 2_500);
  const faults: string[] = [];
  const explain = async ({ shape, command, during }: LoggedQuery): Promise<void> => {
    const explained = await db.command({ explain: command, verbosity: 'queryPlanner' });
    const stages = stagesOf(explained);
    const bad = stages.filter((stage) => stage === 'COLLSCAN' || stage === 'SORT');
    if (bad.length > 0) faults.push(`${bad.join()}: ${shape} (${[...during].join()})`);
  };
  for (const query of queries) await explain(query);
  console.log(
    queries
      .map(({ shape }) => shape)
      .sort()
      .join('\n'),
  );
  expect(faults).toEqual([]);
});

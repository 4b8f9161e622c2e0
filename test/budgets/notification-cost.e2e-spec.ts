import { getConnectionToken } from '@nestjs/mongoose';
import { BSON } from 'bson';
import type { Connection } from 'mongoose';
import { ManualClock } from '#libs/common';
import type { TestSession } from '#libs/testing';
import { DeliveryWorker } from '../../src/delivery/index.js';
import { createWorkflow, inApp, storeNamed, trigger } from '../support/delivery.js';
import { startTestApi } from '../support/test-api.js';

const COLLECTIONS = ['triggerEvents', 'notifications', 'messages', 'executionDetails'];
const EVENTS = 100;

describe('what a notification of one in-app step costs', () => {
  let api: Awaited<ReturnType<typeof startTestApi>>;
  let session: TestSession;
  let connection: Connection;
  let name: string;
  let commands: string[] = [];

  beforeAll(async () => {
    api = await startTestApi({}, { ...storeNamed('notification_cost'), monitorCommands: true }, new ManualClock());
    connection = api.app.get<Connection>(getConnectionToken());
    connection.getClient().on('commandStarted', ({ commandName, command }) => {
      const collection = (command as Record<string, unknown>)[commandName];
      commands.push(`${commandName} ${String(collection)}`);
    });
    session = await api.session();
    name = (await createWorkflow(session, [inApp('Hello {{subscriber.firstName}}, {{n}}')])).identifier;
    for (const to of ['ann', 'bob']) await trigger(session, { name, to, payload: { n: 0 } });
    await settle();
  });
  beforeEach(() => {
    commands = [];
  });
  afterAll(() => api.close());

  const settle = (): Promise<void> => api.app.get(DeliveryWorker).drain();
  /** Without what depends on the time: searches for work that is due, and what is cached for a few seconds. */
  const spent = (): string[] => {
    const own = COLLECTIONS.concat('subscribers', 'preferences', 'workflowSnapshots');
    return commands.filter((command) => own.includes(command.split(' ')[1] ?? '') && !isSearch(command)).sort();
  };
  const isSearch = (command: string): boolean => ['find triggerEvents', 'find notifications'].includes(command);

  it('should be at most 1,900 bytes of records and 18 index entries', async () => {
    const transactionId = await trigger(session, { name, to: 'ann', payload: { n: 1 } });
    await settle();
    let bytes = 0;
    let entries = 0;
    for (const collection of COLLECTIONS) {
      const rows = connection.db?.collection(collection);
      const indexes = (await rows?.indexes()) ?? [];
      for (const row of (await rows?.find({ transactionId }).toArray()) ?? []) {
        bytes += BSON.calculateObjectSize(row);
        for (const { partialFilterExpression } of indexes) {
          const condition = (partialFilterExpression as object | undefined) ?? {};
          entries += (await rows?.countDocuments({ $and: [{ _id: row._id }, condition] })) ?? 0;
        }
      }
    }
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(1_900);
    expect(entries).toBeLessThanOrEqual(18);
  });

  it('should be six commands of the store for one trigger', async () => {
    await trigger(session, { name, to: 'ann', payload: { n: 2 } });
    await settle();
    expect(spent()).toEqual([
      'find preferences',
      'find subscribers',
      'insert messages',
      'insert notifications',
      'insert triggerEvents',
      'update triggerEvents',
    ]);
  });

  it('should be at most 12 commands for a hundred triggers in one request', async () => {
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      name,
      to: n % 2 === 0 ? 'ann' : 'bob',
      payload: { n },
    }));
    await session.post('/v1/events/trigger/bulk', { events }).expect(201);
    await settle();
    expect(spent().filter((command) => command === 'insert notifications').length).toBeGreaterThan(0);
    expect(spent().length).toBeLessThanOrEqual(12);
  });
});

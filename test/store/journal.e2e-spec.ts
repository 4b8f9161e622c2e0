import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { DeliveryWorker } from '../../src/engine/delivery/index.js';
import { createWorkflow, identifierOf } from '../factories/workflow.factory.js';
import { type TestApp, workerStore } from '../harness/index.js';
import { startTestApi } from '../support/test-api.js';

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);

let api: TestApp;
beforeAll(async () => {
  api = await startTestApi({ DELIVERY_WORKER: 'off' }, { ...workerStore(), monitorCommands: true });
});
afterAll(() => api.close());

it('should ask the store to answer every write of a trigger and its delivery when it is on disk', async () => {
  const session = await api.session();
  const unjournaled: string[] = [];
  const collections = new Set<string>();
  const note = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }): void => {
    if (!WRITES.has(commandName)) return;
    const collection = String(command[commandName]);
    collections.add(collection);
    const { j } = (command['writeConcern'] ?? {}) as { j?: boolean };
    if (j !== true) unjournaled.push(`${commandName} ${collection}`);
  };
  const client = api.app.get<Connection>(getConnectionToken()).getClient();
  client.on('commandStarted', note);
  try {
    const name = identifierOf(await createWorkflow(session, { active: true }));
    await session.post('/v1/events/trigger', { name, to: 'ann', payload: {} }).expect(201);
    await api.app.get(DeliveryWorker).drain();
  } finally {
    client.off('commandStarted', note);
  }
  expect(unjournaled).toEqual([]);
  expect([...collections]).toEqual(expect.arrayContaining(['triggerEvents', 'workflowSnapshots', 'notifications']));
});

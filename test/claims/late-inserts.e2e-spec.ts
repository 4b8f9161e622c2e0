import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mongo } from 'mongoose';
import { MessageFailed, MessageSent } from '../../src/engine/delivery/index.js';
import { RECORDING } from '../../src/engine/delivery/run/outcome-writer.js';
import { MessageStore, type NewMessage } from '../../src/engine/messages/store/index.js';
import { createWorkflow, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { recordEvents } from '../support/recorded-events.js';
import { useSession } from '../support/test-api.js';

const LEASE_MS = 60_000;

describe('what a worker has stored that died meanwhile', () => {
  const delivery = useDeliveryApi('late_inserts', { DELIVERY_WORKER: 'off' });
  const session = useSession(delivery.api);
  let server: Server;
  let calls = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      calls += 1;
      request.resume();
      response.end('{"id":"1"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    RECORDING.disarm();
    server.closeAllConnections();
    server.close();
  });

  it('should be told as it is stored, although nobody could know it when the call was judged', async () => {
    const { port } = server.address() as AddressInfo;
    await session
      .post('/v1/integrations', {
        providerId: 'generic-sms',
        channel: 'sms',
        active: true,
        credentials: {
          baseUrl: `http://127.0.0.1:${port}/`,
          apiKeyRequestHeader: 'x-key',
          apiKey: 'key',
          idPath: 'id',
          from: '+1',
        },
      })
      .expect(201);
    const sent = recordEvents(delivery.api, MessageSent);
    const failed = recordEvents(delivery.api, MessageFailed);
    const messages = delivery.api.app.get(MessageStore, { strict: false });
    const { identifier } = await createWorkflow(session, [{ template: { type: 'sms', content: 'hello' } }]);
    const late: NewMessage[] = [];
    RECORDING.arm(async ({ effects }) => {
      if (effects.messages.length === 0) return;
      if (late.length > 0) {
        // The store has had the command of the dead worker all the time, and carries it out now.
        await messages.insert(late);
        return;
      }
      late.push(...effects.messages);
      throw new mongo.MongoError('dead');
    });
    const to = { subscriberId: 'ann', phone: '+491234' };
    await trigger(session, { name: identifier, to, transactionId: 'late' });
    await delivery.drain();
    delivery.clock.advance(LEASE_MS);
    await delivery.drain();
    expect(calls).toBe(1);
    const [message] = await delivery.rows('messages', { transactionId: 'late' });
    expect(message?.['status']).toBe('sent');
    expect(failed).toEqual([]);
    expect(sent.map(({ messageId }) => messageId)).toEqual([String(message?.['_id'])]);
    expect((await notificationOf(session, 'late')).jobs[0]?.status).toBe('failed');
  });
});

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestSession } from '../harness/index.js';
import {
  createWorkflow,
  delay,
  type DeliveryApi,
  notificationOf,
  startDeliveryApi,
  trigger,
} from '../support/delivery.js';
import { Holders } from '../support/holders.js';

const LEASE_MS = 10_000;
const SMS = { template: { type: 'sms', content: 'sent' } };

/** A process that stands still for longer than its lease does not notice; what it does when it goes on must not matter. */
describe('a worker that continues without its lease', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  let holders: Holders;
  let server: Server;
  /** Answers of the provider; who is asked beyond them takes the message. */
  let answers: ((response: ServerResponse) => void)[] = [];
  let asked = 0;

  beforeAll(async () => {
    delivery = await startDeliveryApi('lost_leases', { DELIVERY_WORKER: 'off' });
    holders = new Holders(delivery.api);
    server = createServer((request, response) => {
      request.resume();
      asked += 1;
      const answer = answers.shift() ?? ((to) => to.end('{"id":"1"}'));
      request.on('end', () => answer(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(async () => {
    asked = 0;
    answers = [];
    session = await delivery.api.session();
    const { port } = server.address() as AddressInfo;
    const credentials = {
      baseUrl: `http://127.0.0.1:${port}/`,
      apiKeyRequestHeader: 'x-key',
      apiKey: 'key',
      idPath: 'id',
      from: '+1',
    };
    await session
      .post('/v1/integrations', { providerId: 'generic-sms', channel: 'sms', active: true, credentials })
      .expect(201);
  });
  afterAll(async () => {
    server.close();
    await delivery.api.close();
  });

  /** An SMS that waits behind a delay that is over. */
  const smsInLane = async (): Promise<string> => {
    const { identifier } = await createWorkflow(session, [delay(), SMS]);
    const to = { subscriberId: 'ann', phone: '+491234' };
    const transactionId = await trigger(session, { name: identifier, to });
    await delivery.drain();
    delivery.clock.advance(300_000);
    return transactionId;
  };
  const statusOf = async (transactionId: string): Promise<string[]> => {
    const { data } = (await session.get(`/v1/messages?transactionId=${transactionId}`).expect(200)).body as {
      data: { status: string }[];
    };
    return data.map(({ status }) => status);
  };

  it('should not call a provider when another one has done so', async () => {
    const transactionId = await smsInLane();
    const first = await holders.claim();
    delivery.clock.advance(LEASE_MS);
    const second = await holders.claim();
    await second();
    await delivery.drain();
    expect(asked).toBe(1);
    await first();
    await delivery.drain();
    expect(asked).toBe(1);
    expect(await statusOf(transactionId)).toEqual(['sent']);
    const details = (await notificationOf(session, transactionId)).jobs[1]?.executionDetails ?? [];
    expect(details.filter(({ detail }) => detail.startsWith('Message sent'))).toHaveLength(1);
  });

  it('should not call a provider when another one has it in hand', async () => {
    await smsInLane();
    const first = await holders.claim();
    delivery.clock.advance(LEASE_MS);
    const second = await holders.claim();
    await first();
    await delivery.drain();
    expect(asked).toBe(0);
    await second();
    await delivery.drain();
    expect(asked).toBe(1);
  });

  it('should not say that a message failed which another one has sent', async () => {
    const transactionId = await smsInLane();
    let fail = (): void => undefined;
    const wasAsked = new Promise<void>((heard) => {
      answers.push((response) => {
        fail = () => {
          response.statusCode = 400;
          response.end('{"error":"no"}');
        };
        heard();
      });
    });
    const first = await holders.claim();
    const done = first().then(() => delivery.drain());
    await wasAsked;
    delivery.clock.advance(LEASE_MS);
    const second = await holders.claim();
    await second();
    fail();
    await done;
    await delivery.drain();
    expect(asked).toBe(2);
    expect(await statusOf(transactionId)).toEqual(['sent']);
    expect(await notificationOf(session, transactionId)).toMatchObject({ status: 'completed' });
  });
});

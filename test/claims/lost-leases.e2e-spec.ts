import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestSession } from '../harness/index.js';
import { createWorkflow, delay, notificationOf, trigger } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
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

  /** The provider answers the first one after another one has taken the message over. */
  const answeredLate = async (status: number): Promise<string> => {
    const transactionId = await smsInLane();
    let answer = (): void => undefined;
    const wasAsked = new Promise<void>((heard) => {
      answers.push((response) => {
        answer = () => void response.writeHead(status).end('{"id":"1"}');
        heard();
      });
    });
    const first = await holders.claim();
    const done = first().then(() => delivery.drain());
    await wasAsked;
    delivery.clock.advance(LEASE_MS);
    const second = await holders.claim();
    await second();
    await eventually(async () => {
      expect(await notificationOf(session, transactionId)).toMatchObject({ status: 'failed' });
    });
    answer();
    await done;
    await delivery.drain();
    return transactionId;
  };

  it('should leave a message alone that another one has begun to send', async () => {
    const transactionId = await answeredLate(400);
    expect(asked).toBe(1);
    expect(await statusOf(transactionId)).toEqual(['error']);
    const { jobs } = await notificationOf(session, transactionId);
    expect(jobs[1]).toMatchObject({ status: 'failed', reason: 'uncertain' });
    const details = jobs[1]?.executionDetails.map(({ detail }) => detail);
    expect(details?.at(-1)).toBe('The provider may have accepted the message');
  });

  it('should record that a message was sent, also when another one could not know', async () => {
    const transactionId = await answeredLate(200);
    expect(asked).toBe(1);
    expect(await statusOf(transactionId)).toEqual(['sent']);
    const { jobs } = await notificationOf(session, transactionId);
    expect(jobs[1]).toMatchObject({ status: 'failed', reason: 'uncertain' });
    const details = jobs[1]?.executionDetails.map(({ detail }) => detail);
    expect(details).toEqual(expect.arrayContaining(['The provider may have accepted the message', 'Message sent']));
  });
});

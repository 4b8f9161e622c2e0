import { mongo } from 'mongoose';
import { NotificationStore } from '../../src/engine/delivery/index.js';
import { CALLING } from '../../src/engine/delivery/run/begun-calls.js';
import { SETTLING } from '../../src/engine/delivery/run/outcome-writer.js';
import { dataOf } from '../support/answers.js';
import {
  createWorkflow,
  inApp,
  messagesOf,
  notificationOf,
  type SentRecipient,
  type SentStep,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const LEASE_MS = 10_000;
const MAY_BE = 'The provider may have accepted the message';
const SMS = { template: { type: 'sms', content: 'Hello' } };
const CHAT = { template: { type: 'chat', content: 'Hello' } };
const CHATS = ['mattermost', 'discord', 'ryver'] as const;

/** A worker dies after it has marked a call; the next one finds the mark. */
describe('a step whose worker has died at a call', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('interrupted_steps', { LOG_LEVEL: 'silent' });
  const session = useSession(delivery.api);

  beforeEach(() => {
    sink.answer = json(200, { id: '1', ok: true });
  });
  afterEach(() => {
    CALLING.disarm();
    SETTLING.disarm();
  });

  const integrateSms = (): Promise<{ _id: string }> =>
    dataOf(
      session.post('/v1/integrations', {
        providerId: 'generic-sms',
        channel: 'sms',
        active: true,
        check: false,
        credentials: { baseUrl: sink.url, apiKeyRequestHeader: 'x-key', apiKey: 'key', idPath: 'id', from: '+1' },
      }),
      201,
    );
  const dying = (call: number): void => {
    let calls = 0;
    CALLING.arm(() => {
      calls += 1;
      return calls === call ? Promise.reject(new mongo.MongoError('dead')) : Promise.resolve();
    });
  };
  /** @param meanwhile before another worker takes the run over */
  const deliver = async (
    steps: SentStep[],
    to: SentRecipient,
    meanwhile: (transactionId: string) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<string> => {
    const { identifier } = await createWorkflow(session, steps);
    const transactionId = await trigger(session, { name: identifier, to });
    await delivery.drain();
    CALLING.disarm();
    await meanwhile(transactionId);
    delivery.clock.advance(LEASE_MS);
    await delivery.drain();
    return transactionId;
  };
  const ann = { subscriberId: 'ann', phone: '+491234' };
  const trailOf = async (transactionId: string): Promise<string[]> =>
    (await notificationOf(session, transactionId)).jobs.flatMap((job) =>
      job.executionDetails.map(({ detail }) => detail),
    );
  const expectUncertain = async (transactionId: string): Promise<void> => {
    const { status, jobs } = await notificationOf(session, transactionId);
    expect([status, jobs.at(-1)?.reason]).toEqual(['failed', 'uncertain']);
    expect(await trailOf(transactionId)).toContain(MAY_BE);
    const [message] = await messagesOf(session, transactionId);
    expect(message).toMatchObject({ status: 'error', providerId: 'generic-sms' });
    expect(message?.errorText).toContain('Herald was interrupted after it had begun the call of the provider');
  };

  it('should be uncertain, and be replayed on request only', async () => {
    await integrateSms();
    dying(1);
    const transactionId = await deliver([SMS], ann);
    expect(sink.requests).toEqual([]);
    await expectUncertain(transactionId);
    const { _id, jobs } = await notificationOf(session, transactionId);
    expect(jobs).toMatchObject([{ deadLetter: true, uncertain: true }]);
    for (const query of ['deadLetter=true', 'status=dead', 'status=uncertain']) {
      expect(await dataOf(session.get(`/v1/notifications?${query}`), 200)).toMatchObject([{ _id }]);
    }
    await session.post(`/v1/notifications/${_id}/replay`, {}).expect(409);
    await session.post(`/v1/notifications/${_id}/replay`, { includeUncertain: true }).expect(202);
    await delivery.drain();
    expect(sink.requests).toHaveLength(1);
    expect(await notificationOf(session, transactionId)).toMatchObject({ status: 'completed' });
    expect(await dataOf(session.get('/v1/notifications?status=uncertain'), 200)).toEqual([]);
  });

  it('should be uncertain where its integration was deleted meanwhile', async () => {
    const { _id } = await integrateSms();
    dying(1);
    await expectUncertain(await deliver([SMS], ann, () => session.delete(`/v1/integrations/${_id}`).expect(200)));
  });

  it('should be uncertain where the subscriber has no address any more', async () => {
    await integrateSms();
    dying(1);
    const forget = (): Promise<unknown> => session.put('/v1/subscribers/ann', { phone: '' }).expect(200);
    await expectUncertain(await deliver([SMS], ann, forget));
  });

  it('should be uncertain where its event was canceled meanwhile, and cancel only what follows', async () => {
    await integrateSms();
    dying(1);
    let answer: Promise<unknown> = Promise.resolve();
    // The answer comes once the lease of the dead worker has ended.
    const cancel = (transactionId: string): Promise<unknown> => {
      answer = dataOf(session.delete(`/v1/events/trigger/${transactionId}`), 200);
      const { collection } = delivery.api.app.get(NotificationStore);
      return eventually(async () =>
        expect(await collection.countDocuments({ transactionId, cancelRequested: true })).toBe(1),
      );
    };
    const transactionId = await deliver([SMS, inApp('Later')], ann, cancel);
    expect(await answer).toBe(true);
    const { status, jobs } = await notificationOf(session, transactionId);
    expect(sink.requests).toEqual([]);
    expect(status).toBe('canceled');
    expect(jobs.map((job) => [job.status, job.reason])).toEqual([
      ['failed', 'uncertain'],
      ['canceled', 'transaction_canceled'],
    ]);
    expect(await trailOf(transactionId)).toContain(MAY_BE);
  });

  it('should be completed where the message was stored as sent', async () => {
    await integrateSms();
    let deaths = 0;
    // After the message of the step, and then again where the batch is written one by one.
    SETTLING.arm(([run]) =>
      run?.record.steps[0]?.status === 'completed' && deaths++ < 1
        ? Promise.reject(new mongo.MongoError('dead'))
        : Promise.resolve(),
    );
    const transactionId = await deliver([SMS], ann);
    expect(deaths).toBeGreaterThan(0);
    expect(sink.requests).toHaveLength(1);
    expect(await notificationOf(session, transactionId)).toMatchObject({ status: 'completed' });
    expect(await trailOf(transactionId)).toContain('Message sent');
    expect((await messagesOf(session, transactionId)).map(({ status }) => status)).toEqual(['sent']);
  });

  it('should reach the addresses whose calls had not begun, and no other again', async () => {
    for (const providerId of CHATS) {
      const body = { providerId, channel: 'chat', active: true, check: false, credentials: {} };
      await session.post('/v1/integrations', body).expect(201);
    }
    const channels = CHATS.map((providerId) => ({
      providerId,
      credentials: { webhookUrl: `${sink.url}/${providerId}` },
    }));
    dying(2);
    const transactionId = await deliver([CHAT], { subscriberId: 'ann', channels });
    const paths = sink.requests.map(({ path }) => path.split('?')[0]);
    expect(paths).toHaveLength(2);
    expect(new Set(paths).size).toBe(2);
    const { jobs } = await notificationOf(session, transactionId);
    expect(jobs[0]?.status).toBe('completed');
    expect((await messagesOf(session, transactionId)).map(({ status }) => status).sort()).toEqual([
      'error',
      'error',
      'sent',
    ]);
    expect((await trailOf(transactionId)).filter((detail) => detail === MAY_BE)).toHaveLength(2);
  });
});

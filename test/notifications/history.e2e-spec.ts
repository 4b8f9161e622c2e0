import { Types } from 'mongoose';
import type { TestSession } from '../harness/index.js';
import { ExecutionDetailsService } from '../../src/engine/execution-details/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, inApp, notificationOf, type SentStep, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';

interface Attempt {
  readonly at: string;
  readonly waitedMs?: number;
  readonly outcome: string;
  readonly answer?: string;
  readonly error?: string;
}

interface History {
  readonly attempts: Attempt[];
  readonly conditions: Json[];
  readonly preference?: Json;
  readonly callbacks: Json[];
  readonly messageIds: string[];
}

const SMS: SentStep = { template: { type: 'sms', content: 'Hello' } };

describe('the history of the steps of a notification', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('notification_history', () => ({
    DELIVERY_MAX_ATTEMPTS: '2',
    PROVIDER_BASE_URLS: `twilio=${sink.url}/twilio`,
  }));
  let session: TestSession;
  beforeEach(async () => {
    session = await delivery.api.session();
    const credentials = { accountSid: 'AC1', token: 'secret-token', from: '+15550100' };
    const body = { providerId: 'twilio', channel: 'sms', active: true, check: false, credentials };
    await session.post('/v1/integrations', body).expect(201);
  });

  const run = async (steps: SentStep[], more: Json = {}): Promise<string> => {
    const { identifier: name } = await createWorkflow(session, steps);
    const id = await trigger(session, { name, to: { subscriberId: 'ann', phone: '+15550111' }, ...more });
    await delivery.drain(3_600_000);
    return (await notificationOf(session, id))._id;
  };
  const historiesOf = async (id: string): Promise<History[]> => {
    const { jobs } = await dataOf<{ jobs: { history: History }[] }>(session.get(`/v1/notifications/${id}`), 200);
    return jobs.map(({ history }) => history);
  };

  it('should show the attempts with the words of the provider, the waits, and the message', async () => {
    sink.answer = json(503, { message: 'Overloaded, come back' });
    const id = await run([SMS]);
    sink.answer = json(201, { sid: 'SM4711' });
    await session.post(`/v1/notifications/${id}/replay`).expect(202);
    await delivery.drain();
    const [history] = await historiesOf(id);
    expect(history?.attempts).toMatchObject([
      { outcome: 'not_sent', replay: 0, providerId: 'twilio', error: expect.stringContaining('Overloaded') as string },
      { outcome: 'not_sent', replay: 0, waitedMs: expect.any(Number) as number },
      { outcome: 'sent', replay: 1, answer: expect.stringContaining('SM4711') as string },
    ]);
    expect(history?.attempts[0]).not.toHaveProperty('waitedMs');
    expect(history?.attempts[1]?.waitedMs).toBeGreaterThan(0);
    const [message] = await dataOf<Json[]>(session.get('/v1/messages?subscriberId=ann'), 200);
    expect(history?.messageIds).toEqual([message?.['_id']]);
    expect(history).toMatchObject({ conditions: [], callbacks: [] });
  });

  it('should show each condition with what it compared', async () => {
    const children = [{ on: 'payload', field: 'total', operator: 'LARGER', value: '100' }];
    const filters = [{ isNegated: false, type: 'GROUP', value: 'AND', children }];
    const [history] = await historiesOf(await run([inApp('Hello', { filters })], { payload: { total: 20 } }));
    expect(history?.conditions).toEqual([
      { filter: 'Payload', field: 'total', operator: 'LARGER', expected: '100', actual: '20', passed: false },
    ]);
    expect(history?.attempts).toEqual([]);
  });

  it('should show the setting that switched a channel off', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
    await session
      .patch('/v1/subscribers/ann/preferences', { preferences: [{ type: 'in_app', enabled: false }] })
      .expect(200);
    const [history] = await historiesOf(await run([inApp('Hello')]));
    expect(history?.preference).toMatchObject({ source: expect.any(String) as string });
    expect(JSON.parse(String(history?.preference?.['settings']))).toMatchObject({
      global: expect.anything() as unknown,
    });
  });

  it('should show what the provider reported later', async () => {
    sink.answer = json(201, { sid: 'SM4711' });
    const id = await run([SMS]);
    const shown = await dataOf<Json & { jobs: { _id: string }[] }>(session.get(`/v1/notifications/${id}`), 200);
    const idIn = (value: unknown): Types.ObjectId => new Types.ObjectId(String(value));
    const entry = {
      jobId: idIn(shown.jobs[0]?._id),
      detail: 'ok - (delivered)',
      source: 'Webhook',
      webhookStatus: 'delivered',
      providerId: 'twilio',
    } as const;
    await delivery.api.app.get(ExecutionDetailsService).append([
      {
        organizationId: idIn(session.organizationId),
        environmentId: idIn(session.environmentId),
        notificationId: idIn(id),
        workflowId: idIn(shown['_templateId']),
        subscriberId: idIn(shown['_subscriberId']),
        transactionId: String(shown['transactionId']),
        entries: [entry],
      },
    ]);
    const [history] = await historiesOf(id);
    expect(history?.callbacks).toMatchObject([{ status: 'delivered', text: 'ok - (delivered)', providerId: 'twilio' }]);
    expect(history?.attempts).toHaveLength(1);
  });

  it('should be in no list', async () => {
    await run([inApp('Hello')]);
    const [row] = await dataOf<{ jobs: Json[] }[]>(session.get('/v1/notifications'), 200);
    expect(row?.jobs[0]).not.toHaveProperty('history');
  });
});

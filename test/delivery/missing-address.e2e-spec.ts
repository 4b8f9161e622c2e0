import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { createWorkflow, inApp, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { dataOf, type Json } from '../support/answers.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const SMS = { template: { type: 'sms', content: 'Hello' } };
const PUSH = { template: { type: 'push', title: 'Hello', content: 'Hello' } };

describe('a step whose subscriber has no address for its channel', () => {
  const sink = useProviderSink();
  const settings = (): Record<string, string> => ({ PROVIDER_BASE_URLS: `twilio=${sink.url}/twilio` });
  const delivery = useDeliveryApi('missing_address', settings);
  const session = useSession(delivery.api);

  beforeEach(async () => {
    sink.answer = json(200, { sid: 'SM1' });
    const credentials = { accountSid: 'AC1', token: 'secret-token', from: '+15550100' };
    const body = { providerId: 'twilio', channel: 'sms', active: true, check: false, credentials };
    await session.post('/v1/integrations', body).expect(201);
  });

  const failures = async (): Promise<number> => {
    const { providers } = await dataOf<{ providers: { failed: number }[] }>(session.get('/v1/activity/delivery'), 200);
    return providers.reduce((sum, { failed }) => sum + failed, 0);
  };

  it('should be skipped, and count as a failure nowhere', async () => {
    const { identifier } = await createWorkflow(session, [SMS, inApp('Hello'), PUSH]);
    const id = await trigger(session, { name: identifier, to: 'bob' });
    await delivery.drain();
    const shown = await notificationOf(session, id);
    expect(shown).toMatchObject({
      status: 'completed',
      jobs: [
        { status: 'skipped', reason: 'no_address' },
        { status: 'completed' },
        { status: 'skipped', reason: 'no_channel' },
      ],
    });
    // What dashboards of the compatible system look for.
    expect(shown.jobs[0]?.executionDetails.at(-1)).toMatchObject({
      detail: 'Subscriber missing recipient details',
      status: 'Failed',
    });
    expect(await dataOf(session.get('/v1/notifications?status=failed'), 200)).toEqual([]);
    expect(await failures()).toBe(0);
    expect(await dataOf(session.get(`/v1/events/trigger/${id}`), 200)).toMatchObject({
      ended: true,
      outcomes: { completed: 1, failed: 0 },
      steps: [{ outcomes: { skipped: 1 } }, { outcomes: { completed: 1 } }, { outcomes: { skipped: 1 } }],
    });
  });

  it('should not end a notification that stops at failures', async () => {
    const { identifier } = await createWorkflow(session, [{ ...SMS, shouldStopOnFail: true }, inApp('still here')]);
    const id = await trigger(session, { name: identifier, to: 'bob' });
    await delivery.drain();
    expect(await notificationOf(session, id)).toMatchObject({ jobs: [{ status: 'skipped' }, { status: 'completed' }] });
  });

  it('should fail where the workflow says so, and be replayed when there is an address', async () => {
    const { _id, identifier } = await createWorkflow(session, [SMS], { missingAddress: 'fail' });
    expect(await dataOf(session.get(`/v1/workflows/${_id}`), 200)).toMatchObject({ missingAddress: 'fail' });
    const id = await trigger(session, { name: identifier, to: 'bob' });
    await delivery.drain();
    const failed = await notificationOf(session, id);
    expect(failed).toMatchObject({ status: 'failed', jobs: [{ status: 'failed', reason: 'no_address' }] });
    expect(await failures()).toBe(1);
    await session.put('/v1/subscribers/bob', { phone: '+15550111' }).expect(200);
    await session.post(`/v1/notifications/${failed._id}/replay`).expect(202);
    await delivery.drain();
    expect(await notificationOf(session, id)).toMatchObject({ status: 'completed' });
    expect(sink.requests).toHaveLength(1);
  });

  it('should still fail where an address is there and cannot be used, or no integration is', async () => {
    const { identifier } = await createWorkflow(session, [SMS, { template: { type: 'email', content: 'Hello' } }]);
    await session.post('/v1/subscribers', { subscriberId: 'ann', phone: '+15550111' }).expect(201);
    // Earlier versions stored it.
    const { db } = delivery.api.app.get<Connection>(getConnectionToken());
    await db?.collection('subscribers').updateOne({ subscriberId: 'ann' }, { $set: { phone: '+15550111, +15550112' } });
    const id = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    expect(await notificationOf(session, id)).toMatchObject({
      status: 'failed',
      jobs: [
        { status: 'failed', reason: 'invalid_address' },
        { status: 'failed', reason: 'no_active_integration' },
      ],
    });
  });

  it('should take only known settings, and lose the setting by null', async () => {
    const { _id } = await createWorkflow(session, [SMS], { missingAddress: 'fail' });
    await session.put(`/v1/workflows/${_id}`, { missingAddress: 'ignore' }).expect(400);
    const changed = await dataOf<Json>(session.put(`/v1/workflows/${_id}`, { missingAddress: null }), 200);
    expect(changed).not.toHaveProperty('missingAddress');
  });
});

import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { TestSession } from '../harness/index.js';
import { crash } from '../support/crashed-runs.js';
import { createWorkflow, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { startDeliveryApi, storeNamed, useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';
import { dataOf } from '../support/answers.js';

const TWILIO = { accountSid: 'AC1', token: 'twilio-token', from: '+15550199' };

describe('limits of integrations', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('limits', () => ({ PROVIDER_BASE_URLS: `twilio=${sink.url}` }));
  const session = useSession(delivery.api);
  const sms = { template: { type: 'sms', content: 'Hello' } };

  beforeEach(() => {
    sink.answer = (...args) => json(201, { sid: 'SM1' })(...args);
  });

  const integrate = async (more: object = {}, owner: TestSession = session): Promise<string> => {
    const body = { providerId: 'twilio', channel: 'sms', active: true, check: false, credentials: TWILIO, ...more };
    return (await dataOf<{ _id: string }>(owner.post('/v1/integrations', body), 201))._id;
  };
  const recipients = (): (string | null)[] => sink.requests.map(({ body }) => new URLSearchParams(body).get('To'));
  const triggerMany = async (count: number, owner: TestSession = session): Promise<string[]> => {
    const { identifier } = await createWorkflow(owner, [sms]);
    const ids: string[] = [];
    for (let place = 0; place < count; place += 1) {
      ids.push(
        await trigger(owner, { name: identifier, to: { subscriberId: `s${place}`, phone: `+1555010${place}` } }),
      );
    }
    return ids;
  };
  const statuses = async (ids: readonly string[]): Promise<unknown[]> =>
    (await Promise.all(ids.map((id) => messagesOf(session, id)))).flatMap((messages) =>
      messages.map(({ status }) => status),
    );

  it('should send all messages, each once, no faster than messagesPerSecond', async () => {
    await integrate({ messagesPerSecond: 2 });
    const ids = await triggerMany(9);
    await delivery.drain();
    // Those of the first second, and those that a second is waited for.
    expect(sink.requests.length).toBeLessThanOrEqual(4);
    await delivery.drain(60_000);
    expect(sink.requests).toHaveLength(9);
    expect(new Set(sink.requests.map(({ body }) => new URLSearchParams(body).get('To'))).size).toBe(9);
    expect(await statuses(ids)).toEqual(Array.from({ length: 9 }, () => 'sent'));
  });

  it('should keep the limit of several workers together, also when one dies with messages that wait', async () => {
    const settings = { PROVIDER_BASE_URLS: `twilio=${sink.url}` };
    const store = storeNamed('limits_workers');
    const one = await startDeliveryApi('limits_workers', settings, undefined, store);
    const two = await startDeliveryApi('limits_workers', settings, one.clock, store);
    try {
      const owner = await one.api.session();
      await integrate({ messagesPerSecond: 2 }, owner);
      const ids = await triggerMany(8, owner);
      const [first = ''] = ids;
      await one.drain();
      const early = sink.requests.length;
      expect(early).toBeLessThanOrEqual(4);
      // A worker that takes one up dies before it sends it.
      const [run] = await one.rows('notifications', { transactionId: { $in: ids }, status: 'active' });
      const notifications = one.api.app.get<Connection>(getConnectionToken()).collection('notifications');
      const leaseEnd = new Date(one.clock.now().getTime() + 3_000);
      await crash(notifications, { transactionId: run?.['transactionId'] }, { leaseEnd });
      for (let second = 1; second <= 6; second += 1) {
        await Promise.all([one.drain(1_000), two.drain(1_000)]);
        one.clock.advance(1_000);
        // Those whose time has come, and those that a second or two is waited for.
        expect(sink.requests.length).toBeLessThanOrEqual(early + 2 * second + 4);
      }
      expect(recipients()).toHaveLength(8);
      expect(new Set(recipients()).size).toBe(8);
      expect((await messagesOf(owner, first)).map(({ status }) => status)).toEqual(['sent']);
    } finally {
      await Promise.all([one.api.close(), two.api.close()]);
    }
  });

  it('should say in the trail once that a message waits, and in its job until it leaves', async () => {
    await integrate({ messagesPerSecond: 0.1, identifier: 'slow-text' });
    const ids = await triggerMany(3);
    await delivery.drain();
    const waiting = await Promise.all(ids.map((id) => notificationOf(session, id)));
    const held = waiting.filter(({ jobs }) => jobs[0]?.status === 'queued');
    expect(held).toHaveLength(2);
    for (const { jobs } of held) {
      expect(jobs[0]).toMatchObject({
        reason: 'integration_limit',
        dueAt: expect.any(String) as string,
        explanation: { title: 'The integration has sent as much as its limit allows' },
      });
    }
    await delivery.drain(40_000);
    expect(sink.requests).toHaveLength(3);
    const after = await Promise.all(held.map(({ transactionId }) => notificationOf(session, transactionId)));
    for (const { jobs } of after) {
      const [job] = jobs;
      expect(job).toMatchObject({ status: 'completed' });
      expect(job).not.toHaveProperty('reason');
      const details = job?.executionDetails ?? [];
      const waits = details.filter(({ detail }) => detail === 'Message waits for its integration');
      expect(waits).toHaveLength(1);
      expect(JSON.parse(waits[0]?.raw ?? '{}')).toMatchObject({ integration: 'slow-text', messagesPerSecond: 0.1 });
      expect(details.filter(({ detail }) => detail === 'Start sending message')).toHaveLength(1);
    }
  });

  it('should not concern dry runs', async () => {
    await integrate({ messagesPerSecond: 0.01 });
    const { identifier } = await createWorkflow(session, [sms]);
    const to = { subscriberId: 'dry', phone: '+15550100' };
    for (let round = 0; round < 3; round += 1) {
      const answer = await session.post('/v1/events/trigger/dry-run', { name: identifier, to }).expect(200);
      expect(JSON.stringify(answer.body)).toContain('"completed"');
      expect(JSON.stringify(answer.body)).not.toContain('integration_limit');
    }
    expect(sink.requests).toHaveLength(0);
  });

  it('should leave a provider alone for as long as it says', async () => {
    const id = await integrate();
    const [first] = await triggerMany(1);
    sink.answer = (...args) => json(429, { message: 'Too many' }, { 'retry-after': '30' })(...args);
    await delivery.drain();
    expect(sink.requests).toHaveLength(1);
    sink.answer = (...args) => json(201, { sid: 'SM1' })(...args);
    const others = await triggerMany(3);
    await delivery.drain();
    expect(sink.requests).toHaveLength(1);
    expect((await notificationOf(session, others[0] ?? '')).jobs[0]).toMatchObject({ reason: 'provider_wait' });
    const rows = await dataOf<{ _id: string; quietUntil?: string }[]>(session.get('/v1/integrations'), 200);
    const { quietUntil = '' } = rows.find(({ _id }) => _id === id) ?? {};
    expect(new Date(quietUntil).getTime() - delivery.clock.now().getTime()).toBe(30_000);
    await delivery.drain(31_000);
    expect(sink.requests).toHaveLength(5);
    expect(await statuses([first ?? '', ...others])).toEqual(['sent', 'sent', 'sent', 'sent']);
  });

  it('should show, change and remove the limit', async () => {
    const id = await integrate({ messagesPerSecond: 14 });
    const shown = async (): Promise<unknown> =>
      (await dataOf<{ _id: string }[]>(session.get('/v1/integrations'), 200)).find(({ _id }) => _id === id);
    expect(await shown()).toMatchObject({ messagesPerSecond: 14 });
    await session.put(`/v1/integrations/${id}`, { name: 'Other' }).expect(200);
    await session.put(`/v1/integrations/${id}`, { messagesPerSecond: 0.5 }).expect(200);
    expect(await shown()).toMatchObject({ messagesPerSecond: 0.5, name: 'Other' });
    await session.put(`/v1/integrations/${id}`, { messagesPerSecond: null }).expect(200);
    expect(await shown()).not.toHaveProperty('messagesPerSecond');
    for (const wrong of [0, -1, 'ten', 10_001]) {
      await session.put(`/v1/integrations/${id}`, { messagesPerSecond: wrong }).expect(400);
    }
  });
});

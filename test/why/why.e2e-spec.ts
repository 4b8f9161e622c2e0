import type { TestSession } from '../harness/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, inApp, type SentStep, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';

interface Why {
  readonly verdict: string;
  readonly sentence: string;
  readonly gates: { gate: string; passed: boolean; sentence: string }[];
  readonly notifications: {
    _id: string;
    verdict: string;
    transactionId: string;
    steps: (Json & { sentence: string })[];
  }[];
}

const HOUR_MS = 3_600_000;
const SMS: SentStep = { template: { type: 'sms', content: 'Hello' } };
const EMAIL: SentStep = { template: { type: 'email', subject: 'Hello', content: '<p>Hello</p>' } };

describe('GET /v1/subscribers/:subscriberId/why', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('why', () => ({
    DELIVERY_MAX_ATTEMPTS: '2',
    PROVIDER_BASE_URLS: `twilio=${sink.url}/twilio`,
  }));
  let session: TestSession;
  beforeEach(async () => {
    session = await delivery.api.session();
    await session.post('/v1/subscribers', { subscriberId: 'ann', phone: '+15550111' }).expect(201);
    const credentials = { accountSid: 'AC1', token: 'secret-token', from: '+15550100' };
    const body = { providerId: 'twilio', channel: 'sms', active: true, check: false, credentials };
    await session.post('/v1/integrations', body).expect(201);
    sink.answer = json(201, { sid: 'SM4711' });
  });

  const ask = (workflow: string, more = ''): Promise<Why> =>
    dataOf<Why>(session.get(`/v1/subscribers/ann/why?workflow=${workflow}${more}`), 200);
  const askAfter = async (steps: SentStep[], payload: Json = {}, ms = 0): Promise<Why> => {
    const { identifier: name } = await createWorkflow(session, steps);
    await trigger(session, { name, to: 'ann', payload });
    await delivery.drain(ms);
    return ask(name);
  };
  const sentencesOf = ({ notifications: [newest] }: Why): string[] =>
    (newest?.steps ?? []).map(({ sentence }) => sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T'));

  it('should say what was sent, when and with what', async () => {
    const why = await askAfter([inApp('Hello'), SMS]);
    expect(why).toMatchObject({ verdict: 'delivered', sentence: '2 of 2 messages were sent.' });
    expect(why.gates.map(({ gate, passed }) => [gate, passed])).toEqual([
      ['subscriber', true],
      ['workflow', true],
      ['trigger', true],
    ]);
    expect(sentencesOf(why)).toEqual(['In-app: stored in the feed at T.', 'SMS: sent with twilio at T.']);
  });

  it('should show the values that a condition compared', async () => {
    const children = [{ on: 'payload', field: 'total', operator: 'LARGER', value: '100' }];
    const filters = [{ isNegated: false, type: 'GROUP', value: 'AND', children }];
    const why = await askAfter([inApp('Hello', { filters })], { total: 20 });
    expect(why.verdict).toBe('not_delivered');
    expect(sentencesOf(why)).toEqual([
      'In-app: skipped. A step condition was not met. Payload total: expected LARGER 100, found 20.',
    ]);
    expect(why.notifications[0]?.steps[0]).toMatchObject({
      reason: 'conditions',
      conditions: [{ field: 'total', expected: '100', actual: '20', passed: false }],
    });
  });

  it('should say whose setting stopped a message, and what the subscriber lacks', async () => {
    await session
      .patch('/v1/subscribers/ann/preferences', { preferences: [{ type: 'sms', enabled: false }] })
      .expect(200);
    const credentials = { apiKey: 'secret', from: 'shop@example.com', senderName: 'The shop' };
    const mail = { providerId: 'sendgrid', channel: 'email', active: true, check: false, credentials };
    await session.post('/v1/integrations', mail).expect(201);
    const why = await askAfter([inApp('Hello'), SMS, EMAIL]);
    expect(why).toMatchObject({ verdict: 'partly' });
    expect(sentencesOf(why).slice(1)).toEqual([
      'SMS: skipped. The subscriber disabled this channel for all workflows.',
      expect.stringMatching(/^Email: skipped\. The subscriber has no address for this channel\./) as string,
    ]);
    expect(why.sentence).toMatch(/^1 of 3 messages was sent\. SMS: skipped/);
  });

  it('should repeat the words of the provider, and say what to do', async () => {
    sink.answer = json(401, { code: 20003, message: 'Authenticate' });
    const why = await askAfter([SMS], {}, HOUR_MS);
    expect(why.verdict).toBe('not_delivered');
    expect(why.sentence).toMatch(
      /^0 of 1 message was sent\. SMS: failed.* The provider rejected the credentials\. .*Authenticate/,
    );
    expect(why.notifications[0]?.steps[0]?.['remedy']).toContain("Update the integration's credentials");
  });

  it('should say which budget stopped a message, with its numbers, and which let one through', async () => {
    await session.post('/v1/budgets', { name: 'one-a-day', channels: ['sms'], max: 1 }).expect(201);
    const { identifier: name } = await createWorkflow(session, [SMS]);
    for (let time = 0; time < 2; time++) {
      await trigger(session, { name, to: 'ann' });
      await delivery.drain();
      delivery.clock.advance(1_000);
    }
    const why = await ask(name);
    expect(sentencesOf(why)).toEqual([
      "SMS: skipped. The budget of the subscriber is used up. The budget 'one-a-day' has 1 of 1 messages; it opens again at T.",
    ]);
    expect(why.notifications.map(({ steps: [step] }) => step?.['budget'])).toEqual([
      {
        decision: 'dropped',
        budgets: [{ name: 'one-a-day', count: 1, max: 1, opensAt: expect.any(String) as string }],
      },
      { decision: 'passed', budgets: [{ name: 'one-a-day', count: 1, max: 1 }] },
    ]);
    const held = await createWorkflow(session, [inApp('{{total_count}}')]);
    const budgets = await dataOf<{ _id: string }[]>(session.get('/v1/budgets'), 200);
    const body = { name: 'one-a-day', channels: ['sms'], max: 1, over: 'hold', digestWorkflow: held.identifier };
    await session.put(`/v1/budgets/${budgets[0]?._id ?? ''}`, body).expect(200);
    await trigger(session, { name, to: 'ann' });
    await delivery.drain();
    const waiting = await ask(name);
    expect(sentencesOf(waiting)).toEqual([
      "SMS: waits until T. The budget 'one-a-day' has 1 of 1 messages; it opens again at T.",
    ]);
    expect(waiting.notifications[0]?.steps[0]?.['budget']).toMatchObject({ decision: 'held' });
    await delivery.drain(25 * HOUR_MS);
    expect((await ask(name, '&hours=72')).notifications[0]?.steps[0]?.['budget']).toMatchObject({
      decision: 'digested',
      transactionId: expect.stringMatching(/^budget-/) as string,
    });
  });

  it('should say until when a step waits', async () => {
    const why = await askAfter([delay(), SMS]);
    expect(why.verdict).toBe('waiting');
    expect(sentencesOf(why)).toEqual(['Delay: waits until T.', 'SMS: has not been reached yet.']);
  });

  it('should keep one order of several of the same millisecond, that of the list', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    const { identifier: other } = await createWorkflow(session, [inApp('Hello')]);
    const ids: string[] = [];
    // The clock stands.
    for (let event = 0; event < 5; event += 1) {
      ids.push(await trigger(session, { name, to: 'ann' }));
      await trigger(session, { name: other, to: 'ann' });
      await delivery.drain();
    }
    const listed = await dataOf<{ _id: string; createdAt: string; transactionId: string }[]>(
      session.get('/v1/notifications?limit=100'),
      200,
    );
    const own = listed.filter(({ transactionId }) => ids.includes(transactionId));
    expect(new Set(own.map(({ createdAt }) => createdAt)).size).toBe(1);
    const byId = own.map(({ _id }) => _id).sort((a, b) => (a < b ? 1 : -1));
    expect(own.map(({ _id }) => _id)).toEqual(byId);
    for (let time = 0; time < 3; time += 1) {
      const { notifications } = await ask(name);
      expect(notifications.map(({ _id }) => _id)).toEqual(byId);
    }
  });

  it('should agree with the dry run', async () => {
    const { identifier: name } = await createWorkflow(session, [SMS, EMAIL]);
    const event = { name, to: 'ann', payload: {} };
    await session
      .patch('/v1/subscribers/ann/preferences', { preferences: [{ type: 'sms', enabled: false }] })
      .expect(200);
    const { recipients } = await dataOf<{ recipients: { steps: { explanation?: { title: string } }[] }[] }>(
      session.post('/v1/events/trigger/dry-run', event),
      200,
    );
    await trigger(session, event);
    await delivery.drain();
    const sentences = sentencesOf(await ask(name));
    const foreseen = (recipients[0]?.steps ?? []).map(({ explanation }) => explanation?.title ?? 'nothing');
    expect(foreseen).toHaveLength(2);
    for (const [place, title] of foreseen.entries()) expect(sentences[place]).toContain(title);
  });

  describe('when nothing was triggered for the subscriber', () => {
    it('should say so, also for a time long ago', async () => {
      const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
      await trigger(session, { name, to: 'ann' });
      await delivery.drain();
      expect(await ask(name, '&at=2020-01-31T12:00:00Z')).toMatchObject({
        verdict: 'not_triggered',
        sentence: `No event of '${name}' reached 'ann' between 2020-01-30T12:00:00.000Z and 2020-01-31T13:00:00.000Z.`,
        notifications: [],
      });
      expect(
        await ask(name, `&hours=1&at=${new Date(delivery.clock.now().getTime() + HOUR_MS / 2).toISOString()}`),
      ).toMatchObject({
        verdict: 'delivered',
      });
    });

    it('should name the subscriber or the workflow that does not exist', async () => {
      const { identifier: name } = await createWorkflow(session, [inApp('Hello')], { name: 'Order shipped today' });
      const unknown = await dataOf<Why>(session.get(`/v1/subscribers/bob/why?workflow=${name}`), 200);
      expect(unknown.sentence).toBe("There is no subscriber 'bob': it was never created, or it was deleted.");
      expect((await ask('order-shiped-today')).sentence).toContain(`Did you mean '${name}'?`);
    });

    it('should say why a trigger was refused', async () => {
      const { identifier: name, _id } = await createWorkflow(session, [inApp('Hello')]);
      await session.put(`/v1/workflows/${_id}/status`, { active: false }).expect(200);
      await session.post('/v1/events/trigger', { name, to: 'ann' }).expect(201);
      const { gates, verdict } = await ask(name);
      expect(verdict).toBe('not_triggered');
      expect(gates[1]).toMatchObject({ passed: false, sentence: expect.stringContaining('is inactive now') as string });
      expect(gates[2]?.sentence).toContain('a trigger of the workflow was refused: The workflow is not active.');
    });
  });

  it('should refuse a question without a workflow, and a time that is none', async () => {
    expect(await faultsOf(session.get('/v1/subscribers/ann/why'))).toContainEqual(expect.stringContaining('workflow'));
    expect(await faultsOf(session.get('/v1/subscribers/ann/why?workflow=a&at=noon&hours=0'))).toEqual([
      expect.stringContaining('at must be a date and time') as string,
      expect.stringContaining('hours') as string,
    ]);
  });

  it('should not tell of another environment', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    await trigger(session, { name, to: 'ann' });
    await delivery.drain();
    const other = await delivery.api.session();
    const why = await dataOf<Why>(other.get(`/v1/subscribers/ann/why?workflow=${name}`), 200);
    expect(why).toMatchObject({ verdict: 'not_triggered', notifications: [] });
    expect(why.gates.map(({ passed }) => passed)).toEqual([false, false, false]);
  });
});

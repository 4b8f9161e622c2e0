import type { TestSession } from '../harness/index.js';
import { createBudget } from '../factories/budget.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import {
  createWorkflow,
  delay,
  digest,
  inApp,
  notificationOf,
  type SentStep,
  type ShownNotification,
  throttle,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { InboxClient } from '../support/inbox-client.js';
import { json, useProviderSink } from '../support/provider-sink.js';

interface Why {
  readonly verdict: string;
  readonly sentence: string;
  readonly gates: { gate: string; passed: boolean; sentence: string }[];
  readonly notifications: {
    transactionId: string;
    steps: { status: string; reason?: string; sentence: string; remedy?: string; until?: string }[];
  }[];
}

const DAY_MS = 86_400_000;
const SMS: SentStep = { template: { type: 'sms', content: 'Hello' } };
const EMAIL: SentStep = { template: { type: 'email', subject: 'Hello', content: '<p>Hello</p>' } };
const CLOSED = { isEnabled: true, weeklySchedule: {} };

/** What is asked after an event: of which step, what the trail has to say of it, and the answer. */
interface Question {
  readonly steps: SentStep[];
  readonly workflow?: Json;
  readonly payload?: Json;
  /** Events before the one that is asked about. */
  readonly earlier?: number;
  readonly prepare?: (session: TestSession) => Promise<unknown>;
  readonly afterwards?: (session: TestSession, transactionId: string) => Promise<unknown>;
  readonly place?: number;
  readonly verdict: string;
  readonly status: string;
  readonly reason?: string;
  /** Of the trail. */
  readonly detail: string;
  readonly answer: RegExp;
}

const disable = (session: TestSession): Promise<unknown> =>
  session.patch('/v1/subscribers/ann/preferences', { preferences: [{ type: 'sms', enabled: false }] }).expect(200);

const total = { on: 'payload', field: 'total', operator: 'LARGER', value: '100' };
const filters = [{ isNegated: false, type: 'GROUP', value: 'AND', children: [total] }];

describe('the answers to why', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('why_questions', () => ({
    DELIVERY_MAX_ATTEMPTS: '1',
    PROVIDER_BASE_URLS: `twilio=${sink.url}/twilio`,
  }));
  let session: TestSession;
  beforeEach(async () => {
    session = await delivery.api.session();
    await session.post('/v1/subscribers', { subscriberId: 'ann', phone: '+15550111' }).expect(201);
    for (const integration of [
      { providerId: 'twilio', channel: 'sms', credentials: { accountSid: 'AC1', token: 'secret', from: '+15550100' } },
      {
        providerId: 'sendgrid',
        channel: 'email',
        credentials: { apiKey: 'key', from: 'a@example.com', senderName: 'A' },
      },
    ]) {
      await session.post('/v1/integrations', { ...integration, active: true, check: false }).expect(201);
    }
    sink.answer = json(201, { sid: 'SM4711' });
  });

  const ask = (workflow: string): Promise<Why> =>
    dataOf<Why>(session.get(`/v1/subscribers/ann/why?workflow=${workflow}`), 200);

  const closeHours = async (): Promise<unknown> => {
    const ann = new InboxClient(delivery.api.url, await openSession(delivery.api, session, 'ann'));
    return ann.patch('preferences', { schedule: CLOSED }).expect(200);
  };
  const QUESTIONS: [string, Question][] = [
    [
      'of a message that was sent',
      {
        steps: [SMS],
        verdict: 'delivered',
        status: 'completed',
        detail: 'Message sent',
        answer: /^SMS: sent with twilio/,
      },
    ],
    [
      'without an address',
      {
        steps: [EMAIL],
        verdict: 'not_delivered',
        status: 'skipped',
        reason: 'no_address',
        detail: 'Subscriber missing recipient details',
        answer: /^Email: skipped\. .*no address/,
      },
    ],
    [
      'against a preference',
      {
        steps: [SMS],
        prepare: disable,
        verdict: 'not_delivered',
        status: 'skipped',
        reason: 'preferences',
        detail: 'Step filtered by subscriber global preferences',
        answer: /^SMS: skipped\. The subscriber disabled/,
      },
    ],
    [
      'of a condition that is false',
      {
        steps: [{ ...SMS, filters }],
        payload: { total: 20 },
        verdict: 'not_delivered',
        status: 'skipped',
        reason: 'conditions',
        detail: 'Step was filtered based on steps filters',
        answer: /expected LARGER 100, found 20/,
      },
    ],
    [
      'behind a throttle',
      {
        steps: [throttle(), inApp('Hello')],
        earlier: 1,
        verdict: 'not_delivered',
        status: 'skipped',
        reason: 'throttled',
        detail: 'Step skipped because the threshold of the throttle was reached',
        answer: /^Throttle: skipped\. .*throttle/,
      },
    ],
    [
      'in quiet hours',
      {
        steps: [SMS],
        prepare: closeHours,
        verdict: 'not_delivered',
        status: 'skipped',
        reason: 'schedule',
        detail: "Step skipped because it is outside of the subscriber's schedule",
        answer: /^SMS: skipped\. Outside the subscriber's delivery hours/,
      },
    ],
    [
      'while a step waits',
      {
        steps: [delay({ amount: 1, unit: 'days' }), SMS],
        verdict: 'waiting',
        status: 'delayed',
        detail: 'Step delayed',
        answer: /^Delay: waits until \d{4}/,
      },
    ],
    [
      'of an address that was suppressed',
      {
        steps: [SMS],
        prepare: (by) =>
          by.post('/v1/suppressions', { channel: 'sms', subscriberId: 'ann', reason: 'asked us' }).expect(201),
        verdict: 'not_delivered',
        status: 'failed',
        reason: 'no_address',
        detail: 'Subscriber missing recipient details',
        answer: /^SMS: failed\. .*no address/,
      },
    ],
    [
      'of an event that was canceled',
      {
        steps: [delay({ amount: 1, unit: 'days' }), SMS],
        afterwards: (by, id) => by.delete(`/v1/events/trigger/${id}`).expect(200),
        place: 1,
        verdict: 'not_delivered',
        status: 'canceled',
        reason: 'transaction_canceled',
        detail: 'Step was canceled',
        answer: /^SMS: canceled\. Canceled through the API/,
      },
    ],
    [
      'of a provider that refused',
      {
        steps: [SMS],
        prepare: () => Promise.resolve((sink.answer = json(401, { code: 20003, message: 'Authenticate' }))),
        verdict: 'not_delivered',
        status: 'failed',
        reason: 'provider',
        detail: 'Unexpected provider error',
        answer: /^SMS: failed.* rejected the credentials\. .*Authenticate/,
      },
    ],
    [
      'of an event that joined a digest',
      {
        steps: [digest({ amount: 1, unit: 'days' }), inApp('Hello')],
        earlier: 1,
        verdict: 'not_delivered',
        status: 'merged',
        detail: 'Digest was merged with other digest',
        answer: /^Digest: joined the digest of the notification [0-9a-f]{24}/,
      },
    ],
    [
      'over a budget',
      {
        steps: [inApp('Hello')],
        earlier: 1,
        prepare: (by) => createBudget(by, { channels: ['in_app'], max: 1, over: 'drop' }),
        verdict: 'not_delivered',
        status: 'skipped',
        reason: 'budget',
        detail: 'Step skipped because the budget of the subscriber is used up',
        answer: /^In-app: skipped\. The budget of the subscriber is used up/,
      },
    ],
  ];

  it.each(QUESTIONS)('should agree with the trail %s', async (_what, question) => {
    const { steps, workflow = {}, payload = {}, earlier = 0, place = 0, verdict, status, reason } = question;
    await question.prepare?.(session);
    const { identifier: name } = await createWorkflow(session, steps, workflow);
    let transactionId = '';
    for (let event = 0; event <= earlier; event += 1) {
      // One after the other: who comes first is counted first.
      transactionId = await trigger(session, { name, to: 'ann', payload });
      await delivery.drain(1_000);
    }
    await question.afterwards?.(session, transactionId);
    await delivery.drain();

    const { jobs } = await notificationOf(session, transactionId);
    const why = await ask(name);
    expect(why.verdict).toBe(verdict);
    const asked = why.notifications.find((one) => one.transactionId === transactionId);
    expect(asked?.steps[place]).toMatchObject({ status, ...(reason !== undefined && { reason }) });
    expect(asked?.steps[place]?.sentence).toMatch(question.answer);
    expect(jobs[place]?.executionDetails.map(({ detail }) => detail)).toContainEqual(
      expect.stringContaining(question.detail),
    );
    expect(asked?.steps).toHaveLength(jobs.length);
    for (const [at, job] of jobs.entries()) agrees(asked?.steps[at], job);
  });

  it('should agree with the list of notifications and of refused triggers where nothing was triggered', async () => {
    const { identifier: never } = await createWorkflow(session, [SMS]);
    const { identifier: inactive, _id } = await createWorkflow(session, [SMS]);
    await session.put(`/v1/workflows/${_id}/status`, { active: false }).expect(200);
    await session.post('/v1/events/trigger', { name: inactive, to: 'ann' }).expect(201);

    expect(await dataOf<Json[]>(session.get('/v1/notifications'), 200)).toEqual([]);
    expect(await ask(never)).toMatchObject({ verdict: 'not_triggered', notifications: [] });
    const [refused] = await dataOf<{ reason: string }[]>(session.get('/v1/events/refused'), 200);
    const { verdict, gates } = await ask(inactive);
    expect(verdict).toBe('not_triggered');
    expect(gates.map(({ passed }) => passed)).toEqual([true, false, false]);
    expect(gates[2]?.sentence).toContain(refused?.reason);
  });

  it('should say until when a step waits, as the trail does', async () => {
    const { identifier: name } = await createWorkflow(session, [delay({ amount: 1, unit: 'days' }), SMS]);
    const transactionId = await trigger(session, { name, to: 'ann' });
    await delivery.drain();
    const [job] = (await notificationOf(session, transactionId)).jobs;
    const [step] = (await ask(name)).notifications[0]?.steps ?? [];
    expect(step?.until).toBe(job?.dueAt);
    expect(step?.sentence).toContain(job?.dueAt);
    await delivery.drain(DAY_MS);
    expect((await ask(name)).verdict).toBe('delivered');
  });
});

type Job = ShownNotification['jobs'][number];

/** The words of the trail: state, reason, explanation and remedy of each step. */
function agrees(step: Why['notifications'][number]['steps'][number] | undefined, job: Job): void {
  expect([step?.status, step?.reason]).toEqual([job.status, job.reason]);
  expect(step?.remedy).toBe(job.explanation?.remedy);
  if (job.explanation !== undefined) expect(step?.sentence).toContain(job.explanation.title);
}

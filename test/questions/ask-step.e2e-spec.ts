import { dataOf, type Json } from '../support/answers.js';
import { WaitingWork } from '../../src/operations/testing/waiting-work.js';
import { createWorkflow, feedOf, inApp, notificationOf, type SentStep, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';

const DAY_MS = 86_400_000;

const delivery = useDeliveryApi('ask_step', { DELIVERY_WORKER: 'off', LOG_LEVEL: 'error' });
const session = useSession(delivery.api);

const settle = (ms = 0): Promise<void> => {
  delivery.clock.advance(ms);
  return delivery.api.app.get(WaitingWork, { strict: false }).runDue();
};
const ask = (template: Json = {}): SentStep => ({
  stepId: 'approval',
  template: { type: 'ask', title: 'Refund {{order}}?', recipients: ['boss'], default: 'refuse', ...template },
});
const on = (value: string) => [{ children: [{ on: 'steps', field: 'approval.value', operator: 'EQUAL', value }] }];
const questions = (): Promise<(Json & { _id: string })[]> => dataOf(session.get('/v1/questions'), 200);

describe('a step that asks people', () => {
  beforeEach(async () => {
    for (const subscriberId of ['ada', 'boss']) await session.post('/v1/subscribers', { subscriberId }).expect(201);
  });

  const start = async (template?: Json): Promise<string> => {
    const { identifier } = await createWorkflow(session, [
      ask(template),
      inApp('{{steps.approval.status}}: {{steps.approval.value}}', { stepId: 'tell' }),
    ]);
    const id = await trigger(session, { name: identifier, to: 'ada', payload: { order: 7 } });
    await settle();
    return id;
  };
  const told = async (): Promise<unknown[]> => (await feedOf(session, 'ada')).map(({ content }) => content);

  it('should ask once, wait, and go on with the answer', async () => {
    const id = await start();
    expect((await feedOf(session, 'boss'))[0]?.content).toContain('Refund 7?');
    await settle(DAY_MS);
    expect(await told()).toEqual([]);
    const [question, ...others] = await questions();
    expect(others).toEqual([]);
    await session
      .post(`/v1/questions/${question?._id}/answers`, { subscriberId: 'boss', value: 'approve' })
      .expect(200);
    await settle();
    expect(await told()).toEqual(['answered: approve']);
    const { status, jobs } = await notificationOf(session, id);
    expect(status).toBe('completed');
    expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining(['People are asked', 'The question has its outcome']),
    );
  });

  it('should go on with the default when nobody has decided in time', async () => {
    await start({ expiresIn: 3_600 });
    await settle(3_600_000);
    await settle();
    expect(await told()).toEqual(['expired: refuse']);
  });

  it('should let a condition decide by the outcome', async () => {
    const steps = [
      ask({ recipients: null }),
      inApp('yes', { filters: on('approve') }),
      inApp('no', { filters: on('refuse') }),
    ];
    const { identifier } = await createWorkflow(session, steps);
    await trigger(session, { name: identifier, to: 'ada', payload: { order: 7 } });
    await settle();
    const [copy] = await feedOf(session, 'ada');
    const act = `/v1/subscribers/ada/messages/${copy?._id}/actions/secondary`;
    await session.post(act, { status: 'done' }).expect(201);
    await settle();
    const contents = await told();
    expect(contents).toContain('no');
    expect(contents).not.toContain('yes');
  });

  it('should fail and say why where it cannot ask', async () => {
    const id = await start({ recipients: ['nobody'] });
    const { jobs } = await notificationOf(session, id);
    expect(jobs[0]).toMatchObject({
      status: 'failed',
      error: "The question was not asked: subscribers: 'nobody' must be the id of a subscriber of this environment",
      explanation: { title: 'The question was not asked' },
    });
  });
});

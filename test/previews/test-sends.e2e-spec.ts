import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { setTranslation } from '../factories/translation.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import {
  createWorkflow,
  digest,
  email,
  feedOf,
  inApp,
  messagesOf,
  notificationOf,
  smtpIntegration,
} from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const delivery = useDelivery();
const session = useSession(delivery);
let catcher: SmtpCatcher;
beforeAll(async () => {
  catcher = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
});
afterAll(() => catcher.close());

type Workflow = Awaited<ReturnType<typeof createWorkflow>>;
const pathOf = ({ identifier, steps }: Workflow, place = 0): string =>
  `/v1/workflows/${identifier}/steps/${steps[place]?._id ?? ''}/test`;

interface Sent {
  transactionId: string;
  notificationId: string;
}

async function send(workflow: Workflow, body: Json, place = 0): Promise<Sent> {
  const sent = await dataOf<Sent>(session.post(pathOf(workflow, place), body), 202);
  await delivery.drain();
  return sent;
}

const NEVER = [{ value: 'AND', children: [{ on: 'payload', field: 'never', operator: 'IS_DEFINED' }] }];

describe('POST /v1/workflows/:workflowId/steps/:stepId/test', () => {
  it('should be in the locale that is asked for, with the direction of its script', async () => {
    await smtpIntegration(session, catcher.port);
    await setTranslation(session, 'en', { hello: 'Hello {name}' });
    await setTranslation(session, 'ar', { hello: 'مرحبًا {name}' });
    const workflow = await createWorkflow(session, [
      email("{{t 'hello' name=subscriber.firstName}}", "<p>{{t 'hello' name=subscriber.firstName}}</p>"),
    ]);
    const subjects: unknown[] = [];
    for (const locale of ['ar-EG', 'en', 'fr', undefined]) {
      const body = { to: 'me@example.com', ...(locale !== undefined && { locale }) };
      const { transactionId } = await send(workflow, body);
      const [message] = await messagesOf(session, transactionId);
      subjects.push(message?.subject);
      if (locale === 'ar-EG') expect(catcher.mails.at(-1)?.html).toContain('lang="ar" dir="rtl"');
      else expect(catcher.mails.at(-1)?.html).not.toContain('rtl');
    }
    expect(subjects).toEqual(['مرحبًا Ada', 'Hello Ada', 'Hello Ada', 'Hello Ada']);
  });

  it('should send an email to an address of your own and mark it as a test', async () => {
    await smtpIntegration(session, catcher.port);
    const workflow = await createWorkflow(
      session,
      [inApp('Not sent'), email('Order {{order}}', '<p>{{subscriber.firstName}}</p>', {}, { filters: NEVER })],
      { active: false },
    );
    const { transactionId, notificationId } = await send(workflow, { to: 'me@example.com', payload: { order: 7 } }, 1);
    const shown = await notificationOf(session, transactionId);
    expect(shown).toMatchObject({ _id: notificationId, status: 'completed', isTest: true });
    expect(shown.jobs).toMatchObject([{ type: 'email', status: 'completed' }]);
    expect(shown.jobs[0]?.executionDetails.length).toBeGreaterThan(2);
    for (const detail of shown.jobs[0]?.executionDetails ?? []) expect(detail).toMatchObject({ isTest: true });
    expect(await messagesOf(session, transactionId)).toMatchObject([
      { subject: 'Order 7', email: 'me@example.com', status: 'sent' },
    ]);
    expect((await session.get('/v1/subscribers/sample')).status).toBe(404);
  });

  it('should not use the addresses of the subscriber, of the payload or of overrides when an address is given', async () => {
    await smtpIntegration(session, catcher.port);
    await session
      .post('/v1/subscribers', { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com' })
      .expect(201);
    const workflow = await createWorkflow(session, [email('Hello', '<p>{{subscriber.firstName}}</p>')]);
    const { transactionId } = await send(workflow, {
      subscriber: 'ada',
      to: 'me@example.com',
      payload: { email: 'customer@example.com' },
    });
    expect(await messagesOf(session, transactionId)).toMatchObject([{ email: 'me@example.com' }]);
    expect((await session.get('/v1/subscribers/ada')).body).toMatchObject({ data: { email: 'ada@example.com' } });
  });

  it('should send to a stored subscriber, regardless of preferences', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada', firstName: 'Ada' }).expect(201);
    const workflow = await createWorkflow(session, [digest(), inApp('{{subscriber.firstName}}: {{step.total_count}}')]);
    await session.patch('/v1/subscribers/ada/preferences', { enabled: false }).expect(200);
    const { transactionId } = await send(workflow, { subscriber: 'ada', events: [{ n: 1 }, { n: 2 }] }, 1);
    expect(await feedOf(session, 'ada')).toMatchObject([{ content: 'Ada: 2', transactionId }]);
    expect(await notificationOf(session, transactionId)).toMatchObject({ isTest: true, status: 'completed' });
  });

  it('should not mark other notifications', async () => {
    const workflow = await createWorkflow(session, [inApp('Hello')]);
    const { transactionId } = await dataOf<Sent>(
      session.post('/v1/events/trigger', { name: workflow.identifier, to: 'ada' }),
      201,
    );
    await delivery.drain();
    expect(await notificationOf(session, transactionId)).not.toHaveProperty('isTest');
  });

  it('should show why a test failed', async () => {
    const workflow = await createWorkflow(session, [email('Hello', '<p>Hello</p>')]);
    const { transactionId } = await send(workflow, { to: 'me@example.com' });
    expect(await notificationOf(session, transactionId)).toMatchObject({
      status: 'failed',
      jobs: [{ reason: 'no_active_integration' }],
    });
    await smtpIntegration(session, catcher.port);
    const unknown = await send(workflow, { to: 'me@example.com', integrationIdentifier: 'unknown' });
    expect(await notificationOf(session, unknown.transactionId)).toMatchObject({
      jobs: [{ reason: 'no_active_integration', error: expect.stringContaining("'unknown'") as string }],
    });
    const list = await send(workflow, { to: 'me@example.com, you@example.com' });
    expect(await notificationOf(session, list.transactionId)).toMatchObject({ jobs: [{ reason: 'no_address' }] });
  });

  it('should be refused for steps that send nothing, are not active, or have no recipient', async () => {
    const workflow = await createWorkflow(session, [
      digest(),
      inApp('Hello'),
      email('Hello', '<p>Hello</p>'),
      inApp('Inactive', { active: false }),
    ]);
    const before = await delivery.stored('triggerEvents').countDocuments();
    const refused = async (place: number, body: Json): Promise<void> => {
      const answer = await session.post(pathOf(workflow, place), body);
      expect([answer.status, (answer.body as Json)['code']]).toEqual([422, 'step_not_testable']);
    };
    await refused(0, { to: 'me@example.com' });
    await refused(1, { to: 'me@example.com' });
    await refused(1, { subscriber: { subscriberId: 'new' } });
    await refused(2, {});
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    await refused(3, { subscriber: 'ada' });
    await session.post(pathOf(workflow, 1), { subscriber: 'unknown' }).expect(404);
    const [sibling] = await delivery.siblings();
    if (sibling) await sibling.post(pathOf(workflow, 2), { to: 'me@example.com' }).expect(404);
    expect(await delivery.stored('triggerEvents').countDocuments()).toBe(before);
  });
});

import type { TestSession } from '../harness/index.js';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { createWorkflow, email, notificationOf, smtpIntegration, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { dataOf } from '../support/answers.js';

const MAILS = 12;

describe('an integration whose server is slow', () => {
  const delivery = useDeliveryApi('slow', { DELIVERY_CONCURRENCY: '10', DELIVERY_TIMEOUT_MS: '240000' });
  let session: TestSession;
  const held: (() => void)[] = [];
  let isHolding = true;
  let slow: SmtpCatcher;
  let quick: SmtpCatcher;

  beforeAll(async () => {
    // Five places for one environment, of which one integration may hold four.
    session = await delivery.api.session();
    const onAuth = (_auth: unknown, _session: unknown, done: (error: null, answer: { user: string }) => void): void =>
      done(null, { user: 'user' });
    slow = await startSmtpCatcher({
      onAuth,
      onRcptTo: (_address, _session, done) => (isHolding ? void held.push(() => done()) : done()),
    });
    quick = await startSmtpCatcher({ onAuth });
  });
  afterAll(async () => {
    await Promise.all([slow.close(), quick.close()]);
  });

  const identifierOf = async (id: string): Promise<string | undefined> => {
    return (await dataOf<{ _id: string; identifier: string }[]>(session.get('/v1/integrations'), 200)).find(
      ({ _id }) => _id === id,
    )?.identifier;
  };

  it('should not hold up mail that goes another way, and lose nothing of its own', async () => {
    await smtpIntegration(session, slow.port);
    const other = await smtpIntegration(session, quick.port);
    const { identifier } = await createWorkflow(session, [email('Number {{n}}', 'x')]);
    const numbers = Array.from({ length: MAILS }, (_, n) => n);
    const ids = await Promise.all(
      numbers.map((n) =>
        trigger(session, {
          name: identifier,
          to: { subscriberId: `s${n}`, email: `s${n}@example.com` },
          payload: { n },
        }),
      ),
    );
    await eventually(() => expect(held).toHaveLength(4));

    await trigger(session, {
      name: identifier,
      to: { subscriberId: 'ann', email: 'ann@example.com' },
      payload: { n: 'other' },
      overrides: { email: { integrationIdentifier: await identifierOf(other) } },
    });
    await eventually(() => expect(quick.mails.map(({ subject }) => subject)).toEqual(['Number other']));
    expect(slow.mails).toEqual([]);

    isHolding = false;
    for (const release of held) release();
    await eventually(async () => {
      await delivery.drain(1_000);
      expect(slow.mails).toHaveLength(MAILS);
    });
    expect(slow.mails.map(({ subject }) => subject).sort()).toEqual(numbers.map((n) => `Number ${n}`).sort());
    for (const id of ids) {
      const { status, jobs } = await notificationOf(session, id);
      expect(status).toBe('completed');
      expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual([
        'Step created',
        'Step queued',
        'Start sending message',
        'Integration instance selected',
        'Message created',
        'Message sent',
      ]);
    }
  });
});

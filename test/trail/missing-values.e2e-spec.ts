import { dataOf, type Json } from '../support/answers.js';
import {
  createWorkflow,
  digest,
  email,
  feedOf,
  inApp,
  notificationOf,
  type SentStep,
  type ShownNotification,
  smtpIntegration,
  trigger,
} from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const LABEL = 'Template values are missing';

describe('values that a template shows and an event lacks', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);

  const run = async (steps: SentStep[], body: Json = {}): Promise<ShownNotification> => {
    const { identifier } = await createWorkflow(session, steps);
    const id = await trigger(session, { name: identifier, to: 'ann', ...body });
    await delivery.drain();
    return notificationOf(session, id);
  };
  const warningsOf = ({ jobs }: ShownNotification): { status: string; missing: unknown }[] =>
    jobs
      .flatMap(({ executionDetails }) => executionDetails)
      .filter(({ detail }) => detail === LABEL)
      .map(({ status, raw }) => ({ status, missing: (JSON.parse(raw ?? '{}') as Json)['missing'] }));
  const missingIn = async (template: Json, body?: Json): Promise<unknown> => {
    const warnings = warningsOf(await run([{ template }], body));
    return warnings.length === 0 ? [] : warnings.length === 1 ? warnings[0]?.missing : warnings;
  };

  it('should be named in a warning, and the message goes out', async () => {
    const shown = await run(
      [inApp('Order {{order.number}} is on its way, {{subscriber.firstName}}{{#if gift}}: {{gift}}{{/if}}')],
      {
        payload: { order: { id: 1 } },
      },
    );
    expect(warningsOf(shown)).toEqual([{ status: 'Warning', missing: ['order.number', 'subscriber.firstName'] }]);
    expect(shown.status).toBe('completed');
    expect((await feedOf(session, 'ann'))[0]?.content).toBe('Order  is on its way, ');
  });

  it('should keep the message where the workflow says so, and be named in the trail and by why', async () => {
    await smtpIntegration(session, 1);
    const steps = [
      inApp('Order {{order.number}}'),
      email('Hi', 'Order {{order.number}} of {{order.day}}'),
      inApp('All is there'),
    ];
    const { identifier } = await createWorkflow(session, steps, { missingValues: 'stop' });
    const ann = { subscriberId: 'ann', email: 'ann@example.com' };
    const send = async (payload: Json): Promise<ShownNotification> => {
      const id = await trigger(session, { name: identifier, to: ann, payload });
      await delivery.drain();
      return notificationOf(session, id);
    };
    const shown = await send({ order: {} });
    expect(shown.status).toBe('failed');
    expect(shown.jobs.map(({ status, reason }) => [status, reason])).toEqual([
      ['failed', 'missing_values'],
      ['failed', 'missing_values'],
      ['completed', undefined],
    ]);
    const found = shown.jobs[1]?.executionDetails.find(({ detail }) => detail.startsWith('Message not sent because'));
    expect(found).toMatchObject({ status: 'Failed' });
    expect(found?.raw).toContain('The template shows order.number, order.day, which the event does not have.');
    expect(warningsOf(shown)).toEqual([]);
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['All is there']);
    await send({ order: { number: 7 } });
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toContain('Order 7');
    const { _id, steps: stored } = await createWorkflow(session, [inApp('Order {{order.number}}')], {
      missingValues: 'stop',
    });
    const path = `/v1/workflows/${_id}/steps/${stored[0]?._id ?? ''}/preview`;
    expect(dataOf(await session.post(path, {}).expect(200))).toMatchObject({
      content: 'Order ',
      missing: ['order.number'],
      faults: [],
    });
  });

  it('should leave no warning where everything is there', async () => {
    const steps = [inApp('{{order.id}} {{step.digest}} {{step.total_count}} {{subscriber.subscriberId}}')];
    expect(warningsOf(await run(steps, { payload: { order: { id: 1 } } }))).toEqual([]);
  });

  it('should be looked for in every part of a message', async () => {
    const cta = {
      type: 'redirect',
      data: { url: 'https://x/{{c}}' },
      action: { buttons: [{ type: 'primary', content: '{{d}}' }] },
    };
    expect(await missingIn({ type: 'in_app', content: '{{a}}', subject: '{{b}}', cta })).toEqual(['b', 'a', 'c', 'd']);
    expect(await missingIn({ type: 'sms', content: '{{a}}' })).toEqual(['a']);
    expect(await missingIn({ type: 'chat', content: 'x {{a}}' })).toEqual(['a']);
    expect(await missingIn({ type: 'push', content: 'x {{a}}', title: '{{b}}' })).toEqual(['b', 'a']);
  });

  it('should be looked for in mails, their blocks and their layout', async () => {
    const layout = dataOf(
      await session
        .post('/v1/layouts', {
          name: 'l',
          identifier: 'l',
          content: '{{subject}} {{preheader}} {{branding.logo}} {{{body}}} {{year}} {{footer}}',
          variables: [{ name: 'year', type: 'String', defaultValue: '2026' }],
        })
        .expect(201),
    );
    const content = [
      { type: 'text', content: '{{a}}' },
      { type: 'button', content: '{{b}}', url: 'https://x/{{c}}' },
    ];
    const template = { type: 'email', subject: '{{s}}', preheader: '{{p}}', content, layoutId: layout['_id'] };
    expect(await missingIn(template)).toEqual(['s', 'p', 'a', 'b', 'c', 'footer']);
    expect(await missingIn(template, { overrides: { email: { subject: 'x', html: '<p>y</p>' } } })).toEqual(['p']);
  });

  it('should be looked for among the events of a digest', async () => {
    const content = '{{#each step.events}}{{n}} {{who}} {{/each}}{{step.total_count}}';
    const { identifier } = await createWorkflow(session, [digest({ amount: 1, unit: 'minutes' }), inApp(content)]);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: { n: 1, who: 'bob' } });
    await delivery.drain();
    await trigger(session, { name: identifier, to: 'ann', payload: { n: 2 } });
    await delivery.drain(3_600_000);
    expect(warningsOf(await notificationOf(session, id))).toEqual([
      { status: 'Warning', missing: ['step.events[].who'] },
    ]);
  });

  it('should not be told again by further attempts', async () => {
    await smtpIntegration(session, 1);
    const shown = await run([email('s', 'x {{a}}')], { to: { subscriberId: 'ann', email: 'ann@example.com' } });
    await delivery.drain(3_600_000);
    const later = await notificationOf(session, (shown as unknown as { transactionId: string }).transactionId);
    expect(later.jobs[0]?.attempt).toBeGreaterThan(1);
    expect(warningsOf(later)).toEqual([{ status: 'Warning', missing: ['a'] }]);
  });
});

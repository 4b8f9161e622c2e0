import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { crash } from '../support/crashed-runs.js';
import { clientOf } from '../support/client.js';
import { createWorkflow, feedOf, inApp, notificationOf, type SentStep, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const start = (template: Json, more: Partial<SentStep> = {}): SentStep => ({
  template: { type: 'trigger_workflow', ...template },
  ...more,
});

interface StartedStep {
  readonly status: string;
  readonly error?: string;
  readonly explanation?: { readonly title: string };
  readonly executionDetails: readonly { readonly detail: string; readonly raw?: string }[];
}

describe('a step that starts a workflow', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);

  const send = async (name: string, payload: Json = {}, more: Json = {}): Promise<string> => {
    const id = await trigger(session, { name, to: 'ann', payload, ...more });
    await delivery.drain();
    return id;
  };
  const contents = async (subscriberId: string): Promise<string[]> =>
    (await feedOf(session, subscriberId)).map(({ content }) => content);
  const stepOf = async (transactionId: string): Promise<StartedStep> =>
    (await notificationOf(session, transactionId)).jobs[0] as unknown as StartedStep;
  const outputOf = ({ executionDetails }: StartedStep): Json => {
    const found = executionDetails.find(({ detail }) => detail === 'Another workflow was started');
    return (JSON.parse(found?.raw ?? '{}') as { output: Json }).output;
  };

  it('should start it for the same subscriber with the same payload, and name the new event in the trail', async () => {
    const other = await createWorkflow(session, [inApp('other {{n}}')]);
    const { identifier } = await createWorkflow(session, [start({ workflow: other.identifier }), inApp('own {{n}}')]);
    const id = await send(identifier, { n: 1 });
    expect((await contents('ann')).sort()).toEqual(['other 1', 'own 1']);
    const output = outputOf(await stepOf(id));
    expect(output).toMatchObject({ workflow: other.identifier, recipients: ['ann'] });
    expect((await notificationOf(session, String(output['transactionId']))).status).toBe('completed');
  });

  it('should render workflow, recipients and data, and keep tenant and actor', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    const other = await createWorkflow(session, [inApp('{{id}} {{tenant.name}} {{actor.subscriberId}}')]);
    const { identifier } = await createWorkflow(session, [
      start({ workflow: '{{next}}', recipients: ['{{seller}}', 'cay'], data: { id: '{{order.id}}' } }),
    ]);
    await send(
      identifier,
      { next: other.identifier, seller: 'bob', order: { id: 7 } },
      { tenant: 'acme', actor: 'eve' },
    );
    expect([await contents('ann'), await contents('bob'), await contents('cay')]).toEqual([
      [],
      ['7 Acme eve'],
      ['7 Acme eve'],
    ]);
  });

  it.each([
    ['there is none', 'no-such-workflow', /^The workflow 'no-such-workflow' was not started: .*no workflow/],
    ['it is not active', undefined, /was not started: The workflow is not active/],
  ])('should fail where %s, and say which', async (_case, name, expected) => {
    const off = await createWorkflow(session, [inApp('x')], { active: false });
    const { identifier } = await createWorkflow(session, [start({ workflow: name ?? off.identifier })]);
    const step = await stepOf(await send(identifier));
    expect(step).toMatchObject({ status: 'failed', explanation: { title: 'The other workflow was not started' } });
    expect(step.error).toMatch(expected);
    expect(step.error).toContain(name ?? off.identifier);
  });

  it('should end a workflow that starts itself after ten', async () => {
    const uuid = 'loop';
    const made = await createWorkflow(session, [inApp('once')]);
    const steps = [{ ...start({ workflow: made.identifier }), uuid }, inApp('round')];
    await session.put(`/v1/workflows/${made._id}`, { steps }).expect(200);
    await send(made.identifier);
    const answer = await session.get('/v1/notifications?limit=50').expect(200);
    const runs = dataOf<{ status: string; jobs: StartedStep[] }[]>(answer);
    expect(runs).toHaveLength(11);
    const failed = runs.filter(({ status }) => status === 'failed');
    expect(failed.map(({ jobs }) => jobs[0]?.explanation?.title)).toEqual([
      'Too many workflows have started each other',
    ]);
  });

  it('should start it once, though the worker died before it had noted that', async () => {
    const other = await createWorkflow(session, [inApp('other')]);
    const { identifier } = await createWorkflow(session, [start({ workflow: other.identifier })]);
    const id = await send(identifier);
    const leaseEnd = new Date(delivery.clock.now().getTime() + 60_000);
    await crash(delivery.stored('notifications'), { transactionId: id }, { leaseEnd, steps: ['running'] });
    await delivery.drain(61_000);
    expect(await contents('ann')).toEqual(['other']);
    expect((await notificationOf(session, id)).status).toBe('completed');
  });

  it('should start nothing in a dry run, which says what would be started', async () => {
    const other = await createWorkflow(session, [inApp('other')]);
    const { identifier } = await createWorkflow(session, [start({ workflow: other.identifier, recipients: ['bob'] })]);
    const { recipients } = await clientOf(session).events.dryRunEvent({ body: { name: identifier, to: 'ann' } });
    const [step] = recipients[0]?.steps ?? [];
    expect(step?.status).toBe('completed');
    expect(outputOf({ status: '', executionDetails: step?.details ?? [] })).toEqual({
      workflow: other.identifier,
      recipients: ['bob'],
    });
    await delivery.drain();
    // A started workflow would have made him known.
    await session.get('/v1/subscribers/bob').expect(404);
  });

  it('should be checked when the workflow is stored', async () => {
    const steps = [start({ recipients: 'bob', data: 5 }), start({ workflow: '{{' })];
    const faults = await faultsOf(session.post('/v1/workflows', { name: 'x', steps }));
    expect(faults.map((fault) => fault.split(' ', 1)[0])).toEqual([
      'steps.0.template.workflow',
      'steps.0.template.recipients',
      'steps.0.template.data',
      'steps.1.template.workflow',
    ]);
  });
});

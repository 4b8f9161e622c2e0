import { clientOf } from '../support/client.js';
import { dataOf, faultsOf } from '../support/answers.js';
import {
  createWorkflow,
  delay,
  feedOf,
  inApp,
  notificationOf,
  type SentEvent,
  type ShownNotification,
  throttle,
  trigger,
} from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const HOUR_MS = 3_600_000;
const TEXT = inApp('{{n}}');

describe('a throttle step', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);

  const contents = async (subscriberId = 'ann'): Promise<string[]> =>
    (await feedOf(session, subscriberId))
      .map(({ content }) => content)
      .sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
  const send = async (name: string, n: number, more: Partial<SentEvent> = {}): Promise<string> => {
    const id = await trigger(session, { name, to: 'ann', ...more, payload: { n, ...more.payload } });
    await delivery.drain();
    return id;
  };
  const entryOf = ({ jobs }: ShownNotification, step: number, text: RegExp): unknown => {
    const found = jobs[step]?.executionDetails.find(({ detail }) => text.test(detail));
    return found && { status: found.status, raw: JSON.parse(found.raw ?? '{}') as unknown };
  };

  it('should let the threshold through, end the others there, and say so in the trail', async () => {
    const { identifier } = await createWorkflow(session, [throttle({ threshold: 2 }), TEXT, TEXT]);
    const opensAt = new Date(delivery.clock.now().getTime() + HOUR_MS).toISOString();
    const ids = [await send(identifier, 1), await send(identifier, 2), await send(identifier, 3)];
    expect(await contents()).toEqual(['1', '1', '2', '2']);
    const passed = await notificationOf(session, ids[1] ?? '');
    expect(entryOf(passed, 0, /^Throttle was passed/)).toEqual({
      status: 'Success',
      raw: { throttled: false, executionCount: 2, threshold: 2, opensAt },
    });
    const throttled = await notificationOf(session, ids[2] ?? '');
    expect(throttled.status).toBe('completed');
    expect(throttled.jobs.map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'throttled'],
      ['skipped', 'throttled'],
      ['skipped', 'throttled'],
    ]);
    expect(entryOf(throttled, 0, /threshold of the throttle was reached/)).toEqual({
      status: 'Success',
      raw: { throttled: true, executionCount: 2, threshold: 2, opensAt },
    });
    expect(entryOf(throttled, 1, /an earlier step ended the run/)).toMatchObject({ raw: { reason: 'throttled' } });
  });

  it('should let the next one through when the window has ended, and not before', async () => {
    const { identifier } = await createWorkflow(session, [throttle(), TEXT]);
    await send(identifier, 1);
    await delivery.clock.advance(HOUR_MS - 1);
    await send(identifier, 2);
    await delivery.clock.advance(1);
    await send(identifier, 3);
    await send(identifier, 4);
    expect(await contents()).toEqual(['1', '3']);
  });

  it('should count subscribers, steps and workflows apart', async () => {
    const one = await createWorkflow(session, [throttle(), TEXT]);
    const two = await createWorkflow(session, [throttle({ threshold: 2 }), TEXT, throttle(), TEXT]);
    for (const n of [1, 2]) await send(one.identifier, n, { to: ['ann', 'bob'] });
    for (const n of [3, 4, 5]) await send(two.identifier, n);
    expect([await contents(), await contents('bob')]).toEqual([['1', '3', '3', '4'], ['1']]);
  });

  it('should count the values of the key apart, also those of the tenant', async () => {
    for (const identifier of ['acme', 'globex']) {
      await session.post('/v1/tenants', { identifier, name: identifier }).expect(201);
    }
    const byProject = await createWorkflow(session, [throttle({ throttleKey: 'project.id' }), TEXT]);
    const byTenant = await createWorkflow(session, [throttle({ throttleKey: 'tenant.identifier' }), TEXT]);
    for (const [n, id] of [1, '1', 2, 1, '1'].entries())
      await send(byProject.identifier, n, { payload: { project: { id } } });
    for (const [n, tenant] of ['acme', 'globex', 'acme'].entries()) await send(byTenant.identifier, 10 + n, { tenant });
    expect(await contents()).toEqual(['0', '1', '2', '10', '11']);
  });

  it('should let an event through that lacks the key, with the error in the trail', async () => {
    const { identifier } = await createWorkflow(session, [throttle({ throttleKey: 'project.id' }), TEXT]);
    await send(identifier, 1);
    const id = await send(identifier, 2);
    expect(await contents()).toEqual(['1', '2']);
    expect(entryOf(await notificationOf(session, id), 0, /without being counted/)).toEqual({
      status: 'Failed',
      raw: { error: 'The payload has no value at "project.id", which is the throttleKey of the step.' },
    });
  });

  it('should take the window from the payload, and let an event without one through', async () => {
    const metadata = { type: 'dynamic', dynamicKey: 'payload.mute', amount: undefined, unit: undefined };
    const { identifier } = await createWorkflow(session, [throttle(metadata), TEXT]);
    const until = new Date(delivery.clock.now().getTime() + 2 * HOUR_MS).toISOString();
    await send(identifier, 1, { payload: { mute: until } });
    await send(identifier, 2, { payload: { mute: { amount: 1, unit: 'minutes' } } });
    await send(identifier, 3);
    await delivery.clock.advance(2 * HOUR_MS);
    await send(identifier, 4, { payload: { mute: { amount: 1, unit: 'minutes' } } });
    await delivery.clock.advance(59_000);
    const late = await send(identifier, 5, { payload: { mute: '2020-01-01' } });
    await send(identifier, 6, { payload: { mute: { amount: 1, unit: 'days' } } });
    expect(await contents()).toEqual(['1', '3', '4', '5']);
    expect(entryOf(await notificationOf(session, late), 0, /without being counted/)).toMatchObject({
      raw: { error: `The payload's "payload.mute" is not in the future.` },
    });
  });

  it('should not count what its conditions refuse, which goes on', async () => {
    const filters = [{ children: [{ on: 'payload', field: 'loud', operator: 'EQUAL', value: 'true' }] }];
    const { identifier } = await createWorkflow(session, [throttle({}, { filters }), TEXT]);
    await send(identifier, 1);
    await send(identifier, 2, { payload: { loud: 'true' } });
    await send(identifier, 3);
    await send(identifier, 4, { payload: { loud: 'true' } });
    expect(await contents()).toEqual(['1', '2', '3']);
  });

  it('should count where it is reached, and show later steps the count', async () => {
    const text = inApp('{{n}}: {{step.outputs.limit.executionCount}} of {{step.outputs.limit.threshold}}');
    const { identifier } = await createWorkflow(session, [
      delay(),
      throttle({ threshold: 2 }, { uuid: 'limit' }),
      text,
    ]);
    for (const n of [1, 2, 3]) await trigger(session, { name: identifier, to: 'ann', payload: { n } });
    await delivery.drain(300_000);
    expect((await contents()).map((text) => text.slice(3)).sort()).toEqual(['1 of 2', '2 of 2']);
  });

  it('should show in the dry run what it would decide, and count nothing', async () => {
    const { identifier } = await createWorkflow(session, [throttle(), TEXT]);
    const dryRun = async (): Promise<unknown[]> => {
      const body = { name: identifier, to: 'ann', payload: { n: 1 } };
      const { recipients } = await clientOf(session).events.dryRunEvent({ body });
      return recipients.flatMap(({ steps }) => steps.map(({ status, throttle: shown }) => [status, shown]));
    };
    const opensAt = new Date(delivery.clock.now().getTime() + HOUR_MS).toISOString();
    const first = { throttled: false, executionCount: 1, threshold: 1, opensAt };
    expect(await dryRun()).toEqual([
      ['completed', first],
      ['completed', undefined],
    ]);
    expect(await dryRun()).toEqual([
      ['completed', first],
      ['completed', undefined],
    ]);
    await send(identifier, 1);
    expect(await dryRun()).toEqual([
      ['skipped', { ...first, throttled: true }],
      ['skipped', undefined],
    ]);
    expect(await contents()).toEqual(['1']);
  });

  it('should tell waiting callers that a throttled event has ended', async () => {
    const { identifier } = await createWorkflow(session, [throttle(), TEXT]);
    await send(identifier, 1);
    const id = await send(identifier, 2);
    const { data } = (await session.get(`/v1/events/trigger/${id}`).expect(200)).body as { data: unknown };
    expect(data).toMatchObject({
      ended: true,
      outcomes: { completed: 1 },
      steps: [{ type: 'throttle', outcomes: { skipped: 1 } }, {}],
    });
  });

  it('should be refused without a window, with words for each field', async () => {
    const body = { name: 'Throttled', active: true, steps: [throttle({ unit: 'seconds', threshold: 0 }), TEXT] };
    expect(faultsOf(await session.post('/v1/workflows', body).expect(400))).toEqual([
      'steps.0.metadata.unit must be one of minutes, hours, days, weeks, months',
      'steps.0.metadata.threshold must be a whole number from 1 to 1000',
    ]);
  });

  it('should list its paths among the variables of the trigger, and be shown as it was sent', async () => {
    const made = await createWorkflow(session, [throttle({ threshold: 3, throttleKey: 'payload.project.id' }), TEXT]);
    const shown = dataOf(await session.get(`/v1/workflows/${made._id}`).expect(200));
    expect(shown).toMatchObject({
      steps: [
        {
          template: { type: 'throttle' },
          metadata: { amount: 1, unit: 'hours', threshold: 3, throttleKey: 'payload.project.id' },
        },
        {},
      ],
      triggers: [{ variables: [{ name: 'project.id' }, { name: 'n' }] }],
    });
  });
});

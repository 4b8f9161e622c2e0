import { createWorkflow, delay, digest, feedOf, inApp, notificationOf, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';
import { json, useProviderSink } from '../support/provider-sink.js';

const when = (...children: Record<string, unknown>[]): Record<string, unknown>[] => [
  { isNegated: false, type: 'GROUP', value: 'AND', children },
];
const payloadIs = (field: string, value: string): Record<string, unknown> => ({
  on: 'payload',
  field,
  operator: 'EQUAL',
  value,
});

describe('delivery rules', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  const contents = async (subscriberId = 'ann'): Promise<string[]> =>
    (await feedOf(session, subscriberId)).map(({ content }) => content);

  describe('conditions', () => {
    it('should skip a step whose conditions fail, go on with the next, and say why', async () => {
      const { identifier } = await createWorkflow(session, [
        inApp('only gold', { filters: when(payloadIs('plan', 'gold')) }),
        inApp('everybody'),
      ]);
      const id = await trigger(session, { name: identifier, to: 'ann', payload: { plan: 'free' } });
      await trigger(session, { name: identifier, to: 'bob', payload: { plan: 'gold' } });
      await delivery.drain();
      expect(await contents()).toEqual(['everybody']);
      expect((await contents('bob')).sort()).toEqual(['everybody', 'only gold']);
      const { status, jobs } = await notificationOf(session, id);
      expect(status).toBe('completed');
      expect(jobs).toMatchObject([{ status: 'skipped', reason: 'conditions' }, { status: 'completed' }]);
      const detail = jobs[0]?.executionDetails.at(-1);
      expect(detail).toMatchObject({ detail: 'Step was filtered based on steps filters', status: 'Success' });
      expect(JSON.parse(detail?.raw ?? '{}')).toMatchObject({ filter: { passed: false } });
    });

    it('should ask conditions before a delay and a digest as well', async () => {
      const no = { filters: when(payloadIs('wait', 'yes')) };
      const { identifier } = await createWorkflow(session, [delay({}, no), digest({}, no), inApp('at once')]);
      const id = await trigger(session, { name: identifier, to: 'ann', payload: {} });
      await delivery.drain();
      expect(await contents()).toEqual(['at once']);
      expect(await notificationOf(session, id)).toMatchObject({
        jobs: [{ status: 'skipped' }, { status: 'skipped' }, { status: 'completed' }],
      });
    });

    describe('webhooks', () => {
      const sink = useProviderSink();
      const hook = (): Record<string, unknown>[] =>
        when({
          on: 'webhook',
          webhookUrl: sink.url,
          field: 'allowed',
          operator: 'EQUAL',
          value: 'true',
        });
      const yes = json(200, { allowed: true });
      const unavailable = json(503, {});

      it('should ask again later when the webhook is unavailable', async () => {
        const answers = [unavailable];
        sink.answer = (...asked) => (answers.shift() ?? yes)(...asked);
        const { identifier } = await createWorkflow(session, [inApp('asked', { filters: hook() })]);
        const id = await trigger(session, { name: identifier, to: 'ann' });
        await delivery.drain();
        expect(await contents()).toEqual([]);
        await delivery.drain(60_000);
        expect(await contents()).toEqual(['asked']);
        const { jobs } = await notificationOf(session, id);
        expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toContain(
          'Webhook filter failed, retry will be executed',
        );
      });

      it('should give up after three attempts and go on', async () => {
        sink.answer = unavailable;
        const { identifier } = await createWorkflow(session, [inApp('asked', { filters: hook() }), inApp('next')]);
        const id = await trigger(session, { name: identifier, to: 'ann' });
        await delivery.drain(600_000);
        expect(await contents()).toEqual(['next']);
        expect(await notificationOf(session, id)).toMatchObject({
          jobs: [{ status: 'failed', reason: 'condition_webhook' }, { status: 'completed' }],
        });
      });

      it('should ask again and give up for a variant too', async () => {
        const answers = [unavailable];
        sink.answer = (...asked) => (answers.shift() ?? yes)(...asked);
        const variants = [{ ...inApp('the variant'), filters: hook() }];
        const { identifier } = await createWorkflow(session, [inApp('asked', { variants })]);
        await trigger(session, { name: identifier, to: 'ann' });
        await delivery.drain(60_000);
        expect(await contents()).toEqual(['the variant']);
        sink.answer = unavailable;
        const id = await trigger(session, { name: identifier, to: 'ben' });
        await delivery.drain(600_000);
        expect(await notificationOf(session, id)).toMatchObject({
          jobs: [{ status: 'failed', reason: 'condition_webhook' }],
        });
      });
    });
  });

  it('should choose the first variant whose conditions pass', async () => {
    const variant = (plan: string): Record<string, unknown> => ({
      ...inApp(`for ${plan}`),
      filters: when(payloadIs('plan', plan)),
    });
    const { identifier } = await createWorkflow(session, [
      inApp('for all', { variants: [variant('gold'), variant('silver')] }),
    ]);
    for (const plan of ['gold', 'silver', 'none']) {
      await trigger(session, { name: identifier, to: plan, payload: { plan } });
    }
    await delivery.drain();
    expect(await contents('gold')).toEqual(['for gold']);
    expect(await contents('silver')).toEqual(['for silver']);
    expect(await contents('none')).toEqual(['for all']);
  });

  describe('preferences', () => {
    const forbid = async (workflowId: string): Promise<void> => {
      await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
      await session
        .patch(`/v1/subscribers/ann/preferences/${workflowId}`, { channel: { type: 'in_app', enabled: false } })
        .expect(200);
    };

    it('should not send on a channel that the subscriber has switched off', async () => {
      const { _id, identifier } = await createWorkflow(session, [inApp('unwanted')]);
      await forbid(_id);
      const id = await trigger(session, { name: identifier, to: ['ann'] });
      await delivery.drain();
      expect(await contents()).toEqual([]);
      const { jobs } = await notificationOf(session, id);
      expect(jobs).toMatchObject([{ status: 'skipped', reason: 'preferences' }]);
      expect(jobs[0]?.executionDetails.at(-1)?.detail).toBe('Step filtered by subscriber workflow preferences');
    });

    it('should send what is critical all the same', async () => {
      const { identifier } = await createWorkflow(session, [inApp('important')], { critical: true });
      await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
      await session.patch('/v1/subscribers/ann/preferences', { enabled: false }).expect(200);
      await trigger(session, { name: identifier, to: 'ann' });
      await delivery.drain();
      expect(await contents()).toEqual(['important']);
    });
  });

  describe('delays', () => {
    it('should wait until the date of the payload, and end the run when it is past', async () => {
      const { identifier } = await createWorkflow(session, [
        { template: { type: 'delay', content: '' }, metadata: { type: 'scheduled', delayPath: 'sendAt' } },
        inApp('on time'),
      ]);
      const at = (ms: number): string => new Date(delivery.clock.now().getTime() + ms).toISOString();
      await session
        .post('/v1/events/trigger', { name: identifier, to: 'ann', payload: { sendAt: 'soon' } })
        .expect(400);
      await trigger(session, { name: identifier, to: 'ann', payload: { sendAt: at(3_600_000) } });
      const past = await trigger(session, { name: identifier, to: 'bob', payload: { sendAt: at(-1) } });
      await delivery.drain(3_599_000);
      expect(await contents()).toEqual([]);
      await delivery.drain(1_000);
      expect(await contents()).toEqual(['on time']);
      expect(await contents('bob')).toEqual([]);
      expect(await notificationOf(session, past)).toMatchObject({
        status: 'failed',
        jobs: [{ status: 'failed', reason: 'invalid_delay' }, { status: 'canceled' }],
      });
    });

    it('should listen to the override of the trigger', async () => {
      const { identifier } = await createWorkflow(session, [delay(), inApp('late')]);
      await trigger(session, { name: identifier, to: 'ann', overrides: { delay: { amount: 10, unit: 'seconds' } } });
      await delivery.drain(10_000);
      expect(await contents()).toEqual(['late']);
      await session
        .post('/v1/events/trigger', { name: identifier, to: 'ann', overrides: { delay: { amount: 'x', unit: 'y' } } })
        .expect(400);
    });
  });

  describe('digests', () => {
    const send = async (name: string, payload: Record<string, unknown>, to = 'ann'): Promise<string> => {
      const id = await trigger(session, { name, to, payload });
      await delivery.drain();
      await delivery.clock.advance(1_000);
      return id;
    };
    const shown = inApp('{{#each step.events}}{{n}},{{/each}}');

    it('should keep values of the digest key apart', async () => {
      const { identifier } = await createWorkflow(session, [digest({ digestKey: 'post.id' }), shown]);
      await send(identifier, { n: 1, post: { id: 'a' } });
      await send(identifier, { n: 2, post: { id: 'b' } });
      await send(identifier, { n: 3, post: { id: 'a' } });
      await delivery.drain(300_000);
      expect((await contents()).sort()).toEqual(['1,3,', '2,']);
    });

    it('should keep tenants apart if they are the digest key', async () => {
      for (const identifier of ['acme', 'globex']) await session.post('/v1/tenants', { identifier, name: identifier });
      const { identifier: name } = await createWorkflow(session, [
        digest({ digestKey: 'tenant.identifier' }),
        inApp('{{tenant.name}} {{#each step.events}}{{n}},{{/each}}'),
      ]);
      for (const [at, tenant] of ['acme', 'globex', 'acme'].entries()) {
        await trigger(session, { name, to: 'ann', payload: { n: at }, tenant });
        await delivery.drain();
        await delivery.clock.advance(1_000);
      }
      await delivery.drain(300_000);
      expect((await contents()).sort()).toEqual(['acme 0,2,', 'globex 1,']);
      await session.post('/v1/events/trigger', { name, to: 'ann' }).expect(400);
    });

    it('should begin a new digest when one has ended', async () => {
      const { identifier } = await createWorkflow(session, [digest(), shown]);
      await send(identifier, { n: 1 });
      await delivery.drain(300_000);
      await send(identifier, { n: 2 });
      await delivery.drain(300_000);
      expect(await contents()).toEqual(['2,', '1,']);
    });

    it('should let the first event of a backoff digest through and join the next ones', async () => {
      const { identifier } = await createWorkflow(session, [
        digest({ type: 'backoff', backoffAmount: 1, backoffUnit: 'minutes' }),
        inApp('{{n}}:{{#each step.events}}{{n}},{{/each}}'),
      ]);
      const first = await send(identifier, { n: 1 });
      expect(await contents()).toEqual(['1:']);
      await send(identifier, { n: 2 });
      await send(identifier, { n: 3 });
      await delivery.drain(300_000);
      expect(await contents()).toEqual(['2:2,3,', '1:']);
      expect(await notificationOf(session, first)).toMatchObject({
        jobs: [{ status: 'skipped', reason: 'first_backoff_event' }, { status: 'completed' }],
      });
    });

    it('should carry the events through two digests of one workflow', async () => {
      const { identifier } = await createWorkflow(session, [digest(), digest({ amount: 10 }), shown]);
      await send(identifier, { n: 1 });
      await send(identifier, { n: 2 });
      await delivery.drain(300_000);
      await send(identifier, { n: 3 });
      await delivery.drain(1_200_000);
      expect(await contents()).toEqual(['1,2,3,']);
    });

    it('should give the events to a step that runs after a further wait', async () => {
      const { identifier } = await createWorkflow(session, [digest(), delay(), shown]);
      await send(identifier, { n: 1 });
      await send(identifier, { n: 2 });
      await delivery.drain(600_000);
      expect(await contents()).toEqual(['1,2,']);
    });
  });
});

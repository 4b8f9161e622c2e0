import { ObjectId } from 'bson';
import {
  createWorkflow,
  delay,
  digest,
  feedOf,
  inApp,
  notificationOf,
  type ShownNotification,
  trigger,
} from '../support/delivery.js';
import { dataOf } from '../support/answers.js';
import { useDelivery, useSession } from '../support/herald.js';

interface Answer {
  acknowledged: boolean;
  status: string;
  transactionId?: string;
  error?: string[];
}

describe('trigger API', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  const post = (path: string, body: object, status = 201): Promise<Answer> => {
    return dataOf<Answer>(session.post(`/v1/events/trigger${path}`, body), status);
  };

  const delayed = [delay(), inApp('late')];

  describe('statuses', () => {
    it('should say why nothing will happen', async () => {
      const inactive = await createWorkflow(session, [inApp('x')], { active: false });
      const empty = await createWorkflow(session, []);
      const asleep = await createWorkflow(session, [inApp('x', { active: false })]);
      const good = await createWorkflow(session, [inApp('x')]);
      expect(await post('', { name: inactive.identifier, to: 'ann' })).toEqual({
        acknowledged: true,
        status: 'trigger_not_active',
        hint: 'The workflow is not active. Switch it on with PUT /v1/workflows/{workflowId}/status.',
        transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      });
      expect((await post('', { name: empty.identifier, to: 'ann' })).status).toBe('no_workflow_steps_defined');
      expect((await post('', { name: asleep.identifier, to: 'ann' })).status).toBe('no_workflow_active_steps_defined');
      expect((await post('', { name: good.identifier, to: 'ann', tenant: 'nobody' })).status).toBe('no_tenant_found');
      expect((await post('/broadcast', { name: inactive.identifier, payload: {} })).status).toBe('trigger_not_active');
    });

    it('should name every event by its transaction id, and take the id of one that was not accepted again', async () => {
      const { identifier, _id } = await createWorkflow(session, [inApp('x')], { active: false });
      const event = { name: identifier, to: 'ann', transactionId: 'mine' };
      expect(await post('', event)).toMatchObject({ status: 'trigger_not_active', transactionId: 'mine' });
      await session.put(`/v1/workflows/${_id}/status`, { active: true }).expect(200);
      expect(await post('', event)).toMatchObject({ status: 'processed', transactionId: 'mine' });
    });

    it('should answer an unknown workflow with 422', async () => {
      const { body } = await session.post('/v1/events/trigger', { name: 'nothing', to: 'ann' }).expect(422);
      expect(body).toMatchObject({ statusCode: 422, message: 'workflow_not_found', code: 'workflow_not_found' });
    });

    it('should let the override of a tenant decide', async () => {
      await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
      const { _id, identifier } = await createWorkflow(session, [inApp('for {{tenant.name}}')], { active: false });
      await session.post('/v1/workflow-overrides', { workflowId: _id, tenantId: 'acme', active: true }).expect(200);
      const { body } = await session.post('/v1/events/trigger', { name: identifier, to: 'ann' }).expect(400);
      expect(body).toMatchObject({ message: 'Trigger is missing: tenant object' });
      await trigger(session, { name: identifier, to: 'ann', tenant: 'acme' });
      await delivery.drain();
      expect(await feedOf(session, 'ann')).toMatchObject([{ content: 'for Acme' }]);
    });
  });

  describe('what a trigger must bring', () => {
    it('should name every missing variable with its type', async () => {
      const { identifier } = await createWorkflow(session, [
        {
          template: {
            type: 'in_app',
            content: '{{user.name}} {{list}}',
            variables: [
              { name: 'user.name', type: 'String', required: true },
              { name: 'list', type: 'Array', required: true },
              { name: 'greeting', type: 'String', defaultValue: 'Hi' },
            ],
          },
        },
        inApp('second', {
          template: {
            type: 'in_app',
            content: '{{other}}',
            variables: [{ name: 'other', type: 'String', defaultValue: 'O' }],
          },
        }),
      ]);
      const { body } = await session
        .post('/v1/events/trigger', { name: identifier, to: 'ann', payload: { list: 'no' } })
        .expect(400);
      expect((body as { message: string }).message).toBe(
        'payload is missing required key(s) and type(s): user.name (Value), list (Array)',
      );
      const id = await trigger(session, { name: identifier, to: 'ann', payload: { user: { name: 'A' }, list: [1] } });
      await delivery.drain();
      expect((await notificationOf(session, id)).payload).toMatchObject({ greeting: 'Hi', other: 'O' });
    });

    it('should refuse bad recipients with their paths', async () => {
      const { identifier } = await createWorkflow(session, [inApp('x')]);
      const refused = async (to: unknown): Promise<string[]> => {
        const { body } = await session.post('/v1/events/trigger', { name: identifier, to }).expect(400);
        return (body as { message: string[] }).message;
      };
      expect(await refused(5)).toEqual([expect.stringMatching(/^to must be/)]);
      expect(await refused([{}])).toEqual(['to.0.subscriberId must be a string']);
      expect(await refused([{ type: 'Topic', topicKey: 'nowhere' }])).toEqual([
        expect.stringMatching(/^to\.0\.topicKey names the topic 'nowhere'/),
      ]);
      expect(await refused({ subscriberId: 'ann', email: 'no' })).toEqual(['to.email must be an email']);
    });
  });

  it('should fail a step whose message would be larger than the store takes, and nothing else', async () => {
    const large = await createWorkflow(session, [inApp('{{quotes}}'), inApp('small')]);
    const other = await createWorkflow(session, [inApp('of another event')]);
    const payload = { bulk: 'x'.repeat(13_000_000), quotes: '"'.repeat(900_000) };
    const [id] = await Promise.all([
      trigger(session, { name: large.identifier, to: 'ann', payload }),
      trigger(session, { name: other.identifier, to: 'ann' }),
    ]);
    await delivery.drain();
    expect((await feedOf(session, 'ann')).map(({ content }) => content).sort()).toEqual(['of another event', 'small']);
    expect(await notificationOf(session, id)).toMatchObject({
      status: 'failed',
      jobs: [{ status: 'failed', reason: 'content' }, { status: 'completed' }],
    });
  });

  describe('transaction ids', () => {
    it('should accept the same id once, also when many come at the same time', async () => {
      const { identifier } = await createWorkflow(session, [inApp('once')]);
      const body = { name: identifier, to: 'ann', transactionId: 'order-1' };
      const answers = await Promise.all(Array.from({ length: 20 }, () => post('', body)));
      await delivery.drain();
      answers.push(await post('', body));
      await delivery.drain();
      expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
        new Set([JSON.stringify({ acknowledged: true, status: 'processed', transactionId: 'order-1' })]),
      );
      expect(await feedOf(session, 'ann')).toHaveLength(1);
    });

    it.each(['', '  '])('should take %j for none and make one of its own', async (transactionId) => {
      const { identifier } = await createWorkflow(session, [inApp('{{n}}')]);
      const ids = [];
      for (const n of [1, 2])
        ids.push(await trigger(session, { name: identifier, to: 'ann', payload: { n }, transactionId }));
      await delivery.drain();
      expect(ids).toEqual([expect.stringMatching(/^[\w-]{36}$/), expect.stringMatching(/^[\w-]{36}$/)]);
      expect(await feedOf(session, 'ann')).toHaveLength(2);
    });

    it('should let another environment use the same id', async () => {
      const [one, other] = await delivery.siblings();
      for (const caller of [one, other]) {
        const { identifier } = await createWorkflow(caller, [inApp('x')]);
        await trigger(caller, { name: identifier, to: 'ann', transactionId: 'shared' });
        await delivery.drain();
        expect(await feedOf(caller, 'ann')).toHaveLength(1);
      }
    });
  });

  describe('POST /v1/events/trigger/bulk', () => {
    it('should answer for each event and go on after a bad one', async () => {
      const { identifier } = await createWorkflow(session, [inApp('{{n}}')]);
      const events = [
        { name: identifier, to: 'ann', payload: { n: 1 } },
        { name: 'nothing', to: 'ann', transactionId: 'mine' },
        { name: identifier, to: [{}], transactionId: 5 },
        5,
        { name: identifier, to: 'ann', payload: { n: 2 } },
      ];
      const answers = (await post('/bulk', { events })) as unknown as Answer[];
      expect(answers.map(({ status }) => status)).toEqual(['processed', 'error', 'error', 'error', 'processed']);
      expect(answers[1]?.error).toEqual(['workflow_not_found']);
      expect(answers[2]?.error).toContain('to.0.subscriberId must be a string');
      expect(answers[1]?.transactionId).toBe('mine');
      expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(events.length);
      await delivery.drain();
      expect((await feedOf(session, 'ann')).map(({ content }) => content).sort()).toEqual(['1', '2']);
      await session.post('/v1/events/trigger/bulk', { events: [] }).expect(400);
      await session.post('/v1/events/trigger/bulk', { events: Array(101).fill(events[0]) }).expect(400);
    });
  });

  describe('DELETE /v1/events/trigger/:transactionId', () => {
    const cancel = async (id: string): Promise<unknown> =>
      dataOf<unknown>(session.delete(`/v1/events/trigger/${id}`), 200);

    it('should cancel what waits, once', async () => {
      const { identifier } = await createWorkflow(session, delayed);
      const id = await trigger(session, { name: identifier, to: ['ann', 'bob'] });
      await delivery.drain();
      expect(await cancel(id)).toBe(true);
      expect(await cancel(id)).toBe(false);
      expect(await cancel('unknown')).toBe(false);
      await delivery.drain(600_000);
      expect(await feedOf(session, 'ann')).toEqual([]);
      for (const { status, jobs } of await dataOf<ShownNotification[]>(
        session.get(`/v1/notifications?transactionId=${id}`),
        200,
      )) {
        expect(status).toBe('canceled');
        expect(jobs.map((job) => job.status)).toEqual(['canceled', 'canceled']);
      }
    });

    it('should answer false for what is delivered', async () => {
      const { identifier } = await createWorkflow(session, [inApp('now')]);
      const id = await trigger(session, { name: identifier, to: 'ann' });
      await delivery.drain();
      expect(await cancel(id)).toBe(false);
      expect(await feedOf(session, 'ann')).toHaveLength(1);
    });

    describe('when the event leads a digest', () => {
      const steps = [digest(), inApp('{{#each step.events}}{{n}},{{/each}}')];
      const triggerThree = async (): Promise<string[]> => {
        const { identifier } = await createWorkflow(session, steps);
        const ids: string[] = [];
        for (const n of [1, 2, 3]) {
          ids.push(await trigger(session, { name: identifier, to: 'ann', payload: { n } }));
          await delivery.drain();
          await delivery.clock.advance(1_000);
        }
        return ids;
      };

      it('should let the oldest follower lead with the same due time', async () => {
        const [first] = await triggerThree();
        expect(await cancel(first ?? '')).toBe(true);
        await delivery.drain(300_000 - 3_000);
        expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['2,3,']);
      });

      it('should leave out the event of a follower that is canceled', async () => {
        const [, second] = await triggerThree();
        expect(await cancel(second ?? '')).toBe(true);
        await delivery.drain(300_000);
        expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['1,3,']);
      });

      it('should leave nothing when all are canceled', async () => {
        for (const id of await triggerThree()) expect(await cancel(id)).toBe(true);
        await delivery.drain(600_000);
        expect(await feedOf(session, 'ann')).toEqual([]);
        const _environmentId = new ObjectId(session.environmentId);
        expect(await delivery.stored('notifications').find({ _environmentId, wakeAt: { $exists: true } })).toEqual([]);
      });
    });
  });
});

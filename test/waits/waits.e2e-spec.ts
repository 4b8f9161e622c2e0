import { ObjectId } from 'bson';
import type { Json } from '../support/answers.js';
import { codeOf, dataOf, faultsOf } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import {
  createWorkflow,
  delay,
  feedOf,
  inApp,
  notificationOf,
  type SentStep,
  type ShownNotification,
  trigger,
  waitForEvent,
} from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';
import { InboxClient } from '../support/inbox-client.js';
import type { TestSession } from '../harness/index.js';

const delivery = useDelivery();
const MINUTE_MS = 60_000;
const NOT_READ = [
  { value: 'AND', children: [{ on: 'steps', field: 'wait.matched', operator: 'EQUAL', value: 'false' }] },
];

describe('a step that waits for an event', () => {
  let session: TestSession;

  beforeEach(async () => {
    session = await delivery.session();
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
  });

  const start = async (steps: SentStep[], payload: Json = {}, to = 'ada'): Promise<string> => {
    const { identifier } = await createWorkflow(session, steps);
    const id = await trigger(session, { name: identifier, to, payload });
    await delivery.drain();
    return id;
  };
  const jobsOf = async (id: string): Promise<ShownNotification['jobs']> => (await notificationOf(session, id)).jobs;
  const trailOf = async (id: string, place = 1): Promise<string[]> =>
    (await jobsOf(id))[place]?.executionDetails.map(({ detail }) => detail) ?? [];
  const contents = async (subscriberId = 'ada'): Promise<unknown[]> =>
    (await feedOf(session, subscriberId)).map(({ content }) => content).sort();
  const mark = async (markAs: string, content = 'hello'): Promise<void> => {
    const messageId = (await feedOf(session, 'ada')).find((message) => message.content === content)?._id;
    await session.post('/v1/subscribers/ada/messages/mark-as', { messageId, markAs }).expect(201);
  };
  const signal = async (body: Json): Promise<unknown> =>
    dataOf<{ woken: number }>(await session.post('/v1/events/signal', body).expect(200)).woken;
  const HELLO = inApp('hello', { stepId: 'tell' });

  it('should go on at the time limit, and say that the event did not come', async () => {
    const id = await start([
      HELLO,
      waitForEvent({ onTimeout: 'continue' }, { stepId: 'wait' }),
      inApp('{{steps.wait.matched}}'),
    ]);
    expect(await jobsOf(id)).toMatchObject([{ status: 'completed' }, { status: 'delayed' }, { status: 'pending' }]);
    await delivery.drain(9 * MINUTE_MS);
    expect(await contents()).toEqual(['hello']);
    await delivery.drain(2 * MINUTE_MS);
    expect(await contents()).toEqual(['false', 'hello']);
    expect(await trailOf(id)).toEqual([
      'Step created',
      'Step queued',
      'Step waits for an event',
      'Event did not arrive in time',
    ]);
  });

  it('should end the notification at the time limit where nothing else is said', async () => {
    const id = await start([HELLO, waitForEvent(), inApp('late')]);
    await delivery.drain(11 * MINUTE_MS);
    expect(await jobsOf(id)).toMatchObject([
      { status: 'completed' },
      { status: 'completed' },
      { status: 'skipped', reason: 'wait_timed_out' },
    ]);
    expect(await contents()).toEqual(['hello']);
  });

  it('should go on at once when the message is read', async () => {
    const id = await start([HELLO, waitForEvent({}, { stepId: 'wait' }), inApp('{{steps.wait.matched}}')]);
    await mark('seen');
    await delivery.drain();
    expect(await jobsOf(id)).toMatchObject([{}, { status: 'delayed' }, {}]);
    await mark('read');
    await delivery.drain();
    expect(await contents()).toEqual(['hello', 'true']);
    expect(await trailOf(id)).toContain('Event arrived');
  });

  it('should stop when the message is read, where it says so', async () => {
    const id = await start([HELLO, waitForEvent({ onMatch: 'stop', onTimeout: 'continue' }), inApp('escalated')]);
    await mark('read');
    await delivery.drain(20 * MINUTE_MS);
    expect(await contents()).toEqual(['hello']);
    expect(await jobsOf(id)).toMatchObject([
      {},
      { status: 'completed' },
      { status: 'skipped', reason: 'wait_matched' },
    ]);
  });

  it('should count what happened before the wait began, also if it was taken back', async () => {
    const id = await start([HELLO, delay(), waitForEvent(), inApp('read')]);
    await mark('read');
    await mark('unread');
    await delivery.drain(6 * MINUTE_MS);
    expect(await contents()).toEqual(['hello', 'read']);
    expect(await trailOf(id, 2)).toContain('Event arrived');
  });

  it('should take either branch by conditions', async () => {
    const steps = [
      HELLO,
      waitForEvent({ onTimeout: 'continue' }, { stepId: 'wait' }),
      inApp('unread', { filters: NOT_READ }),
    ];
    await start(steps);
    await mark('read');
    await delivery.drain(11 * MINUTE_MS);
    expect(await contents()).toEqual(['hello']);
    await start(steps);
    await delivery.drain(11 * MINUTE_MS);
    expect(await contents()).toEqual(['hello', 'hello', 'unread']);
  });

  it('should hear of all messages that are marked at once, in the list and in the inbox', async () => {
    await start([HELLO, waitForEvent(), inApp('thanks')]);
    await session.post('/v1/subscribers/ada/messages/mark-all', { markAs: 'read' }).expect(201);
    await delivery.drain();
    expect(await contents()).toEqual(['hello', 'thanks']);
    await start([HELLO, waitForEvent(), inApp('again')]);
    const inbox = new InboxClient(delivery.url, await openSession(delivery, session, 'ada'));
    await inbox.post('notifications/read', {}).expect(204);
    await delivery.drain();
    expect(await contents()).toEqual(['again', 'hello', 'hello', 'thanks']);
  });

  it('should wait for the message of the step that it names', async () => {
    const id = await start([HELLO, inApp('other'), waitForEvent({ step: 'tell' }), inApp('end')]);
    await mark('read', 'other');
    await delivery.drain();
    expect(await jobsOf(id)).toMatchObject([{}, {}, { status: 'delayed' }, {}]);
    await mark('read', 'hello');
    await delivery.drain();
    expect(await contents()).toEqual(['end', 'hello', 'other']);
  });

  it('should wait until a button is used', async () => {
    const cta = { action: { buttons: [{ type: 'primary', content: 'OK' }] } };
    await start([
      { template: { type: 'in_app', content: 'hello', cta } },
      waitForEvent({ event: 'message.clicked' }),
      inApp('thanks'),
    ]);
    const [message] = await feedOf(session, 'ada');
    await session
      .post(`/v1/subscribers/ada/messages/${String(message?._id)}/actions/primary`, { status: 'done' })
      .expect(201);
    await delivery.drain();
    expect(await contents()).toEqual(['hello', 'thanks']);
  });

  it('should not wait for messages that were in the list at once', async () => {
    await start([HELLO, waitForEvent({ event: 'message.delivered' }), inApp('end')]);
    expect(await contents()).toEqual(['end', 'hello']);
  });

  it('should end when its event is canceled, and in a test send at once', async () => {
    const id = await start([HELLO, waitForEvent(), inApp('late')]);
    expect(dataOf(await session.delete(`/v1/events/trigger/${id}`).expect(200))).toBe(true);
    await mark('read');
    await delivery.drain(20 * MINUTE_MS);
    expect(await contents()).toEqual(['hello']);
    expect(await jobsOf(id)).toMatchObject([{ status: 'completed' }, { status: 'canceled' }, { status: 'canceled' }]);
  });

  describe('a signal', () => {
    const PAID = waitForEvent({ event: 'order.paid' }, { stepId: 'wait' });
    const MATCHED = waitForEvent(
      {
        event: 'order.paid',
        match: [
          { path: 'order.id', value: '{{id}}' },
          { path: 'state', value: 'paid' },
        ],
      },
      { stepId: 'wait' },
    );
    const THANKS = inApp('paid {{steps.wait.payload.amount}}');

    it('should wake the waits of the event that it names, and say how many', async () => {
      const id = await start([PAID, THANKS]);
      await start([PAID, inApp('other')]);
      expect(await signal({ name: 'order.refunded', transactionId: id })).toBe(0);
      expect(await signal({ name: 'order.paid', transactionId: id, subscriberId: 'grace' })).toBe(0);
      expect(await signal({ name: 'order.paid', transactionId: id, payload: { amount: 7 } })).toBe(1);
      await delivery.drain();
      expect(await contents()).toEqual(['paid 7']);
      expect(await signal({ name: 'order.paid', transactionId: id })).toBe(0);
    });

    it('should wake all waits of the subscriber that it names', async () => {
      await start([PAID, inApp('one')]);
      await start([PAID, inApp('two')]);
      await start([PAID, inApp('hers')], {}, 'grace');
      expect(await signal({ name: 'order.paid', subscriberId: 'ada' })).toBe(2);
      await delivery.drain();
      expect(await contents()).toEqual(['one', 'two']);
      expect(await contents('grace')).toEqual([]);
    });

    it('should wake the waits whose values it has, all of them', async () => {
      await start([MATCHED, THANKS], { id: 7 });
      await start([MATCHED, inApp('eight')], { id: 8 });
      expect(await signal({ name: 'order.paid', payload: { order: { id: 7 }, state: 'open' } })).toBe(0);
      expect(await signal({ name: 'order.paid', payload: { order: { id: '7' }, state: 'paid', amount: 5 } })).toBe(1);
      await delivery.drain();
      expect(await contents()).toEqual(['paid 5']);
    });

    it('should count before the wait begins, if it is of the same notification', async () => {
      const id = await start([delay(), PAID, THANKS]);
      expect(await signal({ name: 'order.paid', transactionId: id, payload: { amount: 3 } })).toBe(0);
      await delivery.drain(6 * MINUTE_MS);
      expect(await contents()).toEqual(['paid 3']);
    });

    it('should not count if it is older than the event', async () => {
      await signal({ name: 'order.paid', subscriberId: 'ada' });
      await signal({ name: 'order.paid', payload: { order: { id: 7 }, state: 'paid' } });
      await delivery.drain(MINUTE_MS);
      await start([PAID, inApp('one')]);
      await start([MATCHED, inApp('two')], { id: 7 });
      await delivery.drain(11 * MINUTE_MS);
      expect(await contents()).toEqual([]);
    });

    it('should be carried out once for an idempotency key', async () => {
      const id = await start([PAID, inApp('one')]);
      const send = (): Promise<unknown> =>
        session
          .post('/v1/events/signal', { name: 'order.paid', transactionId: id })
          .set('Idempotency-Key', id)
          .expect(200)
          .then(dataOf);
      expect([await send(), await send()]).toEqual([{ woken: 1 }, { woken: 1 }]);
      const stored = await delivery.stored('signals').find({ transactionId: id });
      expect(stored).toHaveLength(1);
    });

    it('should fail the step if the payload lacks a value that it compares', async () => {
      const id = await start([MATCHED, THANKS], {});
      expect(await jobsOf(id)).toMatchObject([{ status: 'failed', reason: 'invalid_wait' }, { status: 'canceled' }]);
      expect(await trailOf(id, 0)).toContain('Invalid wait configuration');
    });

    it('should be refused if it is for nobody, too large or has no name of its own', async () => {
      const refused = (body: Json, status: number): Promise<string> =>
        codeOf(session.post('/v1/events/signal', body), status);
      expect(await refused({ name: 'order.paid' }, 400)).toBe('signal_without_target');
      const large = { name: 'order.paid', subscriberId: 'ada', payload: { text: 'x'.repeat(10_000) } };
      expect(await refused(large, 413)).toBe('signal_too_large');
      for (const name of ['message.read', '', 'a b', 'x'.repeat(101), 7])
        await session.post('/v1/events/signal', { name, subscriberId: 'ada' }).expect(400);
    });

    it('should be gone with its subscriber', async () => {
      await session.post('/v1/subscribers', { subscriberId: 'gone' }).expect(201);
      await signal({ name: 'order.paid', subscriberId: 'gone' });
      await session.delete('/v1/subscribers/gone').expect(200);
      await delivery.drain(2 * MINUTE_MS, 'ErasureWorker');
      const own = { _environmentId: new ObjectId(session.environmentId), subscriberId: 'gone' };
      expect(await delivery.stored('signals').find(own)).toEqual([]);
    });
  });

  it.each([
    ['no event', { event: undefined }, 'event'],
    ['an unknown event of messages', { event: 'message.liked' }, 'event'],
    ['no time limit', { amount: undefined }, 'amount'],
    ['more than thirty days', { amount: 31, unit: 'days' }, 'amount'],
    ['values of a message', { match: [{ path: 'a', value: 'b' }] }, 'match'],
    ['a step of a signal', { event: 'order.paid', step: 'tell' }, 'step'],
    [
      'six values',
      { event: 'order.paid', match: Array.from({ length: 6 }, () => ({ path: 'a', value: 'b' })) },
      'match',
    ],
    ['an empty value', { event: 'order.paid', match: [{ path: 'a', value: '' }] }, 'match.0.value'],
    ['another end', { onMatch: 'halt' }, 'onMatch'],
  ])('should be refused with %s', async (_what, metadata, path) => {
    const { body } = await session.get('/v1/notification-groups').expect(200);
    const [group] = dataOf<{ _id: string }[]>({ body });
    const steps = [waitForEvent(metadata)];
    const answer = await session
      .post('/v1/workflows', { name: 'Wait', notificationGroupId: group?._id, steps })
      .expect(400);
    expect(faultsOf(answer).join()).toContain(`steps.0.metadata.${path}`);
  });

  it('should be shown in a dry run, which goes on from the time limit', async () => {
    const { identifier } = await createWorkflow(session, [
      HELLO,
      waitForEvent({ onTimeout: 'continue' }),
      inApp('end'),
    ]);
    const answer = await session.post('/v1/events/trigger/dry-run', { name: identifier, to: 'ada' }).expect(200);
    const { recipients } = dataOf<{ recipients: { steps: { at: string; until: string; wait: Json }[] }[] }>(answer);
    const [, wait, end] = recipients[0]?.steps ?? [];
    expect(wait).toMatchObject({ status: 'completed', wait: { event: 'message.read', until: wait?.until } });
    expect(Date.parse(wait?.until ?? '') - Date.parse(wait?.at ?? '')).toBe(10 * MINUTE_MS);
    expect(end).toMatchObject({ status: 'completed', at: wait?.until });
  });
});

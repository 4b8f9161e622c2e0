import { clientOf } from '../support/client.js';
import {
  createWorkflow,
  delay,
  digest,
  feedOf,
  inApp,
  notificationOf,
  trigger,
  waitForEvent,
} from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const SKIPPED = 'Wait was skipped because the event was triggered with skipWaits';
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MINUTE_MS = 60_000;

const delivery = useDelivery();
const session = useSession(delivery);

/** How often the trail of each step says that it did not wait. */
async function skippedIn(transactionId: string): Promise<number[]> {
  const { jobs } = await notificationOf(session, transactionId);
  return jobs.map(({ executionDetails }) => executionDetails.filter(({ detail }) => detail === SKIPPED).length);
}

async function contentsFor(subscriberId: string): Promise<unknown[]> {
  return (await feedOf(session, subscriberId)).map(({ content }) => content);
}

describe('a trigger with skipWaits', () => {
  it('should pass delays, digests and waits for events at once, and say so in the trail', async () => {
    const { identifier } = await createWorkflow(session, [
      delay({ amount: 3, unit: 'days' }),
      digest(),
      waitForEvent({ event: 'order.paid' }),
      inApp('{{step.total_count}} of {{number}}'),
    ]);
    const id = await trigger(session, { name: identifier, to: 'ada', payload: { number: 7 }, skipWaits: true });
    await delivery.drain();
    expect(await contentsFor('ada')).toEqual(['1 of 7']);
    expect(await skippedIn(id)).toEqual([1, 1, 1, 0]);
    expect(await notificationOf(session, id)).toMatchObject({ status: 'completed' });
  });

  it('should not disturb a digest that others wait in', async () => {
    const { identifier } = await createWorkflow(session, [digest(), inApp('{{step.total_count}}')]);
    const waiting = await trigger(session, { name: identifier, to: 'ada', payload: {} });
    await delivery.drain();
    await trigger(session, { name: identifier, to: 'ada', payload: {}, skipWaits: true });
    await delivery.drain();
    expect(await contentsFor('ada')).toEqual(['1']);
    await trigger(session, { name: identifier, to: 'ada', payload: {} });
    await delivery.drain(6 * MINUTE_MS);
    expect(await contentsFor('ada')).toEqual(['2', '1']);
    expect(await skippedIn(waiting)).toEqual([0, 0]);
  });

  it('should send outside of delivery hours, also where the message would be skipped', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada', timezone: 'UTC' }).expect(201);
    const weeklySchedule = Object.fromEntries(DAYS.map((day) => [day, { isEnabled: false }]));
    await session
      .patch('/v1/subscribers/ada/preferences', { schedule: { isEnabled: true, weeklySchedule } })
      .expect(200);
    const { identifier } = await createWorkflow(session, [inApp('Now', { metadata: { outsideSchedule: 'skip' } })]);
    const held = await trigger(session, { name: identifier, to: 'ada' });
    const sent = await trigger(session, { name: identifier, to: 'ada', skipWaits: true });
    await delivery.drain();
    expect((await notificationOf(session, held)).jobs[0]).toMatchObject({ status: 'skipped' });
    expect((await notificationOf(session, sent)).jobs[0]).toMatchObject({ status: 'completed' });
    expect(await skippedIn(sent)).toEqual([1]);
  });

  it('should go on after a wait as its workflow goes on', async () => {
    const wait = waitForEvent({ event: 'order.paid', onMatch: 'stop', onTimeout: 'continue' });
    const { identifier } = await createWorkflow(session, [wait, inApp('Please pay')]);
    await trigger(session, { name: identifier, to: 'ada', skipWaits: true });
    await delivery.drain();
    expect(await contentsFor('ada')).toEqual(['Please pay']);
  });

  it('should be refused in production, also in a dry run', async () => {
    const [development, production] = await delivery.siblings();
    const made = await createWorkflow(production, [delay(), inApp('Later')]);
    const body = { name: made.identifier, to: 'ada', skipWaits: true };
    for (const path of ['/v1/events/trigger', '/v1/events/trigger/dry-run']) {
      const refused = await production.post(path, body).expect(403);
      expect(refused.body).toMatchObject({ code: 'waits_not_skippable' });
      await production.post(path, { ...body, skipWaits: false }).expect(path.endsWith('dry-run') ? 200 : 201);
    }
    const own = await createWorkflow(development, [delay(), inApp('Later')]);
    await development.post('/v1/events/trigger', { ...body, name: own.identifier }).expect(201);
    const answer = await clientOf(production).events.triggerEvents({
      body: { events: [{ ...body }] },
    });
    expect(answer[0]).toMatchObject({ status: 'error' });
  });

  it('should be a boolean', async () => {
    await session.post('/v1/events/trigger', { name: 'x', to: 'ada', skipWaits: 'yes' }).expect(400);
  });
});

import type { Json } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import { createWorkflow, inApp, notificationOf, type ShownNotification, trigger } from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';
import { InboxClient } from '../support/inbox-client.js';

const delivery = useDelivery();
const STEPS = [inApp('Hello'), { template: { type: 'sms', content: 'Hello' } }];
const OFFICE = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };
const SCHEDULE = { isEnabled: true, weeklySchedule: { monday: OFFICE } };
/** The step was tried: the environment has no SMS provider. */
const TRIED = { status: 'failed', reason: 'no_active_integration' };

/** The steps of a notification that a subscriber in Tokyo gets at a time. */
async function stepsAt(at: string, schedule: Json, more: Json = {}): Promise<ShownNotification['jobs']> {
  const session = await delivery.session();
  await session.post('/v1/subscribers', { subscriberId: 'ada', timezone: 'Asia/Tokyo' }).expect(201);
  const client = new InboxClient(delivery.url, await openSession(delivery, session, 'ada'));
  await client.patch('preferences', { schedule }).expect(200);
  const { identifier } = await createWorkflow(session, STEPS, { severity: 'high', ...more });
  await delivery.clock.moveTo(new Date(at));
  const transactionId = await trigger(session, { name: identifier, to: 'ada' });
  await delivery.drain();
  expect(await client.count({ severity: 'high' })).toEqual([1]);
  return (await notificationOf(session, transactionId)).jobs;
}

const inMinutes = (minutes: number): string => new Date(MONDAY + minutes * 60_000).toISOString();
/** Monday in Tokyo, 00:00, soon enough for the token of the session. */
const MONDAY = ((): number => {
  const day = new Date();
  day.setUTCHours(15, 0, 0, 0);
  do day.setUTCDate(day.getUTCDate() + 1);
  while (day.getUTCDay() !== 0);
  return day.getTime();
})();

describe('a step of a subscriber with a schedule', () => {
  it('should be skipped outside of it, except in-app ones', async () => {
    const [inbox, sms] = await stepsAt(inMinutes(8 * 60 + 59), SCHEDULE);
    expect(inbox).toMatchObject({ status: 'completed' });
    expect(sms).toMatchObject({ status: 'skipped', reason: 'schedule' });
    expect(sms?.executionDetails.at(-1)).toMatchObject({
      detail: "Step skipped because it is outside of the subscriber's schedule",
      status: 'Success',
    });
  });

  it('should run at any time in critical workflows, and while the schedule is disabled', async () => {
    expect((await stepsAt(inMinutes(8 * 60 + 59), SCHEDULE, { critical: true }))[1]).toMatchObject(TRIED);
    expect((await stepsAt(inMinutes(8 * 60 + 59), { ...SCHEDULE, isEnabled: false }))[1]).toMatchObject(TRIED);
  });

  it("should run within it, in the subscriber's time zone", async () => {
    expect((await stepsAt(inMinutes(9 * 60), SCHEDULE))[1]).toMatchObject(TRIED);
  });
});

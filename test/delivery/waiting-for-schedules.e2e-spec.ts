import type { Json } from '../support/answers.js';
import { dataOf } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import {
  createWorkflow,
  delay,
  digest,
  inApp,
  feedOf,
  notificationOf,
  type SentStep,
  type ShownNotification,
  trigger,
} from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';
import { InboxClient } from '../support/inbox-client.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import type { TestSession } from '../harness/index.js';

const delivery = useDelivery();
const provider = useProviderSink();

const OFFICE = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };
const MONDAYS = { isEnabled: true, weeklySchedule: { monday: OFFICE } };
const ALWAYS = { isEnabled: false };
const HOUR_MS = 3_600_000;
const TEXT: SentStep = { template: { type: 'sms', content: 'Hello {{n}}' } };
const HELD = 'Step waits until the schedule opens';

/** The next Monday, 00:00 in Tokyo, from which on all tests count. Each has a week of its own. */
let monday = nextMonday(new Date());
const at = (hours: number): Date => new Date(monday.getTime() + hours * HOUR_MS);

function nextMonday(from: Date): Date {
  const day = new Date(from);
  day.setUTCHours(15, 0, 0, 0);
  do day.setUTCDate(day.getUTCDate() + 1);
  while (day.getUTCDay() !== 0);
  return day;
}

describe('a message outside of the schedule', () => {
  let session: TestSession;
  let ada: InboxClient;

  beforeEach(async () => {
    session = await delivery.session();
    const credentials = {
      baseUrl: `${provider.url}/`,
      apiKeyRequestHeader: 'x-key',
      apiKey: 'key',
      idPath: 'id',
      from: '+1',
    };
    await session
      .post('/v1/integrations', { providerId: 'generic-sms', channel: 'sms', active: true, credentials })
      .expect(201);
    provider.answer = json(200, { id: '1' });
    await session
      .post('/v1/subscribers', { subscriberId: 'ada', phone: '+491234', timezone: 'Asia/Tokyo' })
      .expect(201);
    ada = new InboxClient(delivery.url, await openSession(delivery, session, 'ada'));
    await setSchedule(MONDAYS);
    monday = nextMonday(delivery.clock.now());
  });

  // Sessions end by the clock of the server, which tests move.
  const setSchedule = async (schedule: Json): Promise<void> => {
    ada = new InboxClient(delivery.url, await openSession(delivery, session, 'ada'));
    await ada.patch('preferences', { schedule }).expect(200);
  };
  const send = async (steps: SentStep[], more: Json = {}, hours = 8): Promise<string> => {
    const { identifier } = await createWorkflow(session, steps, more);
    if (delivery.clock.now() < at(hours)) await delivery.clock.moveTo(at(hours));
    const id = await trigger(session, { name: identifier, to: 'ada', payload: { n: 1 } });
    await delivery.drain();
    return id;
  };
  const goTo = (hours: number): Promise<void> => delivery.drain(at(hours).getTime() - delivery.clock.now().getTime());
  const jobsOf = async (id: string): Promise<ShownNotification['jobs']> => (await notificationOf(session, id)).jobs;
  const trailOf = async (id: string, place = 0): Promise<string[]> =>
    (await jobsOf(id))[place]?.executionDetails.map(({ detail }) => detail) ?? [];
  const heldUntil = async (id: string, place = 0): Promise<unknown> => {
    const details = (await jobsOf(id))[place]?.executionDetails.filter(({ detail }) => detail === HELD) ?? [];
    return JSON.parse(details.at(-1)?.raw ?? 'null') as unknown;
  };

  it('should wait until it opens, and be sent once', async () => {
    const id = await send([TEXT], { outsideSchedule: 'wait' });
    expect(await jobsOf(id)).toMatchObject([{ status: 'delayed' }]);
    expect(await heldUntil(id)).toMatchObject({
      until: at(9).toISOString(),
      by: ['schedule'],
      timezone: 'Asia/Tokyo',
    });
    await goTo(8.99);
    expect(provider.requests).toHaveLength(0);
    await goTo(9);
    expect(provider.requests).toHaveLength(1);
    expect(await jobsOf(id)).toMatchObject([{ status: 'completed' }]);
    expect((await trailOf(id)).filter((detail) => detail === HELD)).toHaveLength(1);
    await goTo(48);
    expect(provider.requests).toHaveLength(1);
  });

  it('should be skipped where the workflow or the step does not say otherwise', async () => {
    const skipped = { status: 'skipped', reason: 'schedule' };
    expect(await jobsOf(await send([TEXT]))).toMatchObject([skipped]);
    const own = { ...TEXT, metadata: { outsideSchedule: 'skip' } };
    expect(await jobsOf(await send([own], { outsideSchedule: 'wait' }))).toMatchObject([skipped]);
    const waits = { ...TEXT, metadata: { outsideSchedule: 'wait' } };
    expect(await jobsOf(await send([waits]))).toMatchObject([{ status: 'delayed' }]);
  });

  it('should go at once if its workflow is critical, or if it is an in-app message that does not ask to be held', async () => {
    const id = await send([inApp('now'), TEXT], { outsideSchedule: 'wait', critical: true });
    expect(await jobsOf(id)).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    const held = inApp('later', { metadata: { outsideSchedule: 'wait' } });
    expect(await jobsOf(await send([inApp('at once'), held], { outsideSchedule: 'wait' }))).toMatchObject([
      { status: 'completed' },
      { status: 'delayed' },
    ]);
    await goTo(9);
    expect((await feedOf(session, 'ada')).map(({ content }) => content)).toContain('later');
  });

  it('should go when the schedule or the time zone is changed so that it is open', async () => {
    const first = await send([TEXT], { outsideSchedule: 'wait' });
    await setSchedule(ALWAYS);
    await delivery.drain();
    expect(await jobsOf(first)).toMatchObject([{ status: 'completed' }]);
    await setSchedule(MONDAYS);
    const second = await send([TEXT], { outsideSchedule: 'wait' });
    expect(await jobsOf(second)).toMatchObject([{ status: 'delayed' }]);
    await session.put('/v1/subscribers/ada', { timezone: 'Pacific/Auckland' }).expect(200);
    await delivery.drain();
    expect(await jobsOf(second)).toMatchObject([{ status: 'completed' }]);
  });

  it('should wait on when the schedule is changed so that it opens later', async () => {
    const id = await send([TEXT], { outsideSchedule: 'wait' });
    await setSchedule({ isEnabled: true, weeklySchedule: { tuesday: OFFICE } });
    await goTo(9);
    expect(provider.requests).toHaveLength(0);
    expect(await heldUntil(id)).toMatchObject({ until: at(33).toISOString() });
    await goTo(33);
    expect(provider.requests).toHaveLength(1);
  });

  it('should respect the preferences of the moment at which it goes', async () => {
    const { _id, identifier } = await createWorkflow(session, [TEXT], { outsideSchedule: 'wait' });
    await delivery.clock.moveTo(at(8));
    const id = await trigger(session, { name: identifier, to: 'ada' });
    await delivery.drain();
    await session.patch(`/v1/subscribers/ada/preferences/${_id}`, { enabled: false }).expect(200);
    await goTo(9);
    expect(await jobsOf(id)).toMatchObject([{ status: 'skipped', reason: 'preferences' }]);
    expect(provider.requests).toHaveLength(0);
  });

  it('should end with the reason where the schedule never opens', async () => {
    await setSchedule({ isEnabled: true, weeklySchedule: {} });
    const id = await send([TEXT], { outsideSchedule: 'wait' });
    expect(await jobsOf(id)).toMatchObject([{ status: 'skipped', reason: 'never_open' }]);
    expect(await trailOf(id)).toContain('Step skipped because the schedule never opens');
  });

  it('should be canceled while it waits', async () => {
    const id = await send([TEXT], { outsideSchedule: 'wait' });
    expect(await dataOf<unknown>(session.delete(`/v1/events/trigger/${id}`), 200)).toBe(true);
    await goTo(10);
    expect(provider.requests).toHaveLength(0);
    expect(await jobsOf(id)).toMatchObject([{ status: 'canceled' }]);
  });

  it('should wait for the send window of the workflow or the step, also where it would be skipped outside of the schedule', async () => {
    await setSchedule(ALWAYS);
    const sendWindow = { timezone: 'Asia/Tokyo', weeklySchedule: { monday: OFFICE } };
    const id = await send([inApp('now'), TEXT], { sendWindow });
    expect(await jobsOf(id)).toMatchObject([{ status: 'completed' }, { status: 'delayed' }]);
    expect(await heldUntil(id, 1)).toMatchObject({ until: at(9).toISOString(), by: ['send_window'], sendWindow });
    const late = { start: '11:00', end: '12:00' };
    const own = { timezone: 'Asia/Tokyo', weeklySchedule: { monday: { isEnabled: true, hours: [late] } } };
    const second = await send([{ ...TEXT, metadata: { sendWindow: own } }], { sendWindow });
    await setSchedule({ isEnabled: true, weeklySchedule: { sunday: OFFICE } });
    await goTo(9);
    expect(await jobsOf(id)).toMatchObject([{}, { status: 'skipped', reason: 'schedule' }]);
    expect(await jobsOf(second)).toMatchObject([{ status: 'delayed' }]);
    await setSchedule(ALWAYS);
    await goTo(10.9);
    expect(provider.requests).toHaveLength(0);
    await goTo(11);
    expect(provider.requests).toHaveLength(1);
  });

  it('should wait until the schedule and the send window are open', async () => {
    const sendWindow = {
      timezone: 'Asia/Tokyo',
      weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '16:00', end: '20:00' }] }, tuesday: OFFICE },
    };
    const id = await send([TEXT], { outsideSchedule: 'wait', sendWindow });
    expect(await heldUntil(id)).toMatchObject({ until: at(16).toISOString(), by: ['schedule', 'send_window'] });
  });

  it('should follow a delay or digest that extends to the schedule', async () => {
    const extended = { amount: 30, unit: 'minutes', extendToSchedule: true };
    const first = await send([delay(extended), TEXT]);
    const second = await send([digest(extended), { template: { type: 'sms', content: '{{step.total_count}}' } }], {
      name: 'Collected',
    });
    await goTo(8.75);
    expect(await jobsOf(first)).toMatchObject([{ status: 'delayed' }, { status: 'pending' }]);
    expect(await heldUntil(first)).toMatchObject({ until: at(9).toISOString() });
    expect(await heldUntil(second)).toMatchObject({ until: at(9).toISOString() });
    // What comes in the meantime is collected.
    await trigger(session, { name: 'collected', to: 'ada' });
    await goTo(9);
    expect(provider.requests.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ content: 'Hello 1' }),
        expect.objectContaining({ content: '2' }),
      ]) as unknown[],
    );
    expect(provider.requests).toHaveLength(2);
  });

  it('should end a delay where it was extended three times', async () => {
    const id = await send([delay({ amount: 30, unit: 'minutes', extendToSchedule: true }), inApp('at last')]);
    await goTo(8.6);
    for (const held of [1, 2, 3]) {
      const [{ steps } = { steps: [] }] = await delivery.stored('notifications').find({ transactionId: id });
      const [state] = steps as { dueAt: Date; held: { times: number } }[];
      expect(state?.held.times).toBe(held);
      expect(await feedOf(session, 'ada')).toHaveLength(0);
      // No worker is there while it is open.
      await delivery.clock.moveTo(new Date((state?.dueAt.getTime() ?? 0) + 9 * HOUR_MS));
      await delivery.drain();
    }
    expect(await trailOf(id)).toContain(
      'Step goes on outside of the schedule, because it has been extended three times',
    );
    expect(await feedOf(session, 'ada')).toHaveLength(1);
  });

  it('should be foreseen by dry runs', async () => {
    const { identifier } = await createWorkflow(session, [TEXT], { outsideSchedule: 'wait' });
    await delivery.clock.moveTo(at(8));
    const run = await dataOf(session.post('/v1/events/trigger/dry-run', { name: identifier, to: 'ada' }), 200);
    expect(run).toMatchObject({
      recipients: [
        {
          steps: [
            {
              status: 'completed',
              isWithinSchedule: false,
              until: at(9).toISOString(),
              messages: [{ channel: 'sms' }],
              details: expect.arrayContaining([expect.objectContaining({ detail: HELD })]) as unknown,
            },
          ],
        },
      ],
    });
    expect(provider.requests).toHaveLength(0);
  });

  it('should be refused with words where it cannot be', async () => {
    const refuse = async (steps: SentStep[], more: Json = {}): Promise<unknown> =>
      (await session.post('/v1/workflows', { name: 'Wrong', steps, ...more }).expect(400)).body.message as unknown;
    expect(await refuse([delay({ outsideSchedule: 'wait' })])).toEqual([
      'steps.0.metadata.outsideSchedule is for channel steps; digests and delays have extendToSchedule',
    ]);
    expect(await refuse([{ ...TEXT, metadata: { outsideSchedule: 'hold' } }])).toEqual([
      'steps.0.metadata.outsideSchedule must be one of skip, wait',
    ]);
    expect(await refuse([TEXT], { sendWindow: { weeklySchedule: {} } })).toEqual([
      'sendWindow.weeklySchedule must enable a day of the week',
    ]);
  });
});

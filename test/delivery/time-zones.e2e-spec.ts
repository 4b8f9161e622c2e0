import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, digest, feedOf, inApp, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';
import { generalGroupId } from '../factories/workflow.factory.js';

const delivery = useDelivery();
const session = useSession(delivery);

const AT_NINE = { type: 'timed', amount: 1, unit: 'days', timed: { atTime: '09:00' } };
const timeIn = (timeZone: string, moment: unknown): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(String(moment)));

/** When the first step of a workflow ends for a subscriber. */
async function endFor(subscriberId: string, metadata: Json, type = digest): Promise<unknown> {
  const { identifier } = await createWorkflow(session, [type(metadata), inApp('Hello')]);
  const body = { name: identifier, to: subscriberId, payload: { sendAt: '2999-01-31T09:00' } };
  const { recipients } = await dataOf<{ recipients: { steps: Json[] }[] }>(
    session.post('/v1/events/trigger/dry-run', body),
    200,
  );
  return recipients[0]?.steps[0]?.['until'];
}

describe('the time zone of a step', () => {
  beforeEach(async () => {
    for (const [subscriberId, timezone] of [
      ['tokyo', 'Asia/Tokyo'],
      ['apia', 'Pacific/Apia'],
      ['none', null],
    ]) {
      await session.post('/v1/subscribers', { subscriberId, timezone }).expect(201);
    }
  });

  it.each([
    ['none', undefined, 'UTC'],
    ['tokyo', undefined, 'UTC'],
    ['tokyo', 'America/New_York', 'America/New_York'],
    ['tokyo', 'subscriber', 'Asia/Tokyo'],
    ['apia', 'subscriber', 'Pacific/Apia'],
    ['none', 'subscriber', 'UTC'],
  ])('should end the timed digest of %s with timezone %s at 9:00 in %s', async (subscriberId, timezone, zone) => {
    expect(timeIn(zone, await endFor(subscriberId, { ...AT_NINE, timezone }))).toBe('09:00');
  });

  it('should be that of a scheduled date without an offset', async () => {
    const scheduled = { type: 'scheduled', delayPath: 'sendAt', amount: undefined, unit: undefined };
    expect(await endFor('tokyo', scheduled, delay)).toBe('2999-01-31T09:00:00.000Z');
    expect(await endFor('tokyo', { ...scheduled, timezone: 'subscriber' }, delay)).toBe('2999-01-31T00:00:00.000Z');
    expect(await endFor('none', { ...scheduled, timezone: 'Asia/Tokyo' }, delay)).toBe('2999-01-31T00:00:00.000Z');
  });

  it('should deliver the digests of two subscribers at 9:00 of each', async () => {
    const { identifier } = await createWorkflow(session, [
      digest({ ...AT_NINE, timezone: 'subscriber' }),
      inApp('{{step.total_count}}'),
    ]);
    const ends = await Promise.all(
      ['tokyo', 'none'].map(async (to) => ({
        to,
        at: Number(new Date(String(await endFor(to, { ...AT_NINE, timezone: 'subscriber' })))),
      })),
    );
    const [first, second] = ends.sort((a, b) => a.at - b.at).map(({ to }) => to);
    for (let count = 0; count < 2; count += 1) await trigger(session, { name: identifier, to: ['tokyo', 'none'] });
    await delivery.drain();
    const contents = async (of = ''): Promise<string[]> => (await feedOf(session, of)).map(({ content }) => content);
    await delivery.clock.moveTo(new Date((ends[0]?.at ?? 0) + 1));
    await delivery.drain();
    expect([await contents(first), await contents(second)]).toEqual([['2'], []]);
    await delivery.clock.moveTo(new Date((ends[1]?.at ?? 0) + 1));
    await delivery.drain();
    expect(await contents(second)).toEqual(['2']);
  });

  it.each(['Mars/Olympus', '', 5, 'local', 'UTC+25', '{{subscriber.timezone}}', 'x'.repeat(300)])(
    'should be refused if it is %j',
    async (timezone) => {
      const steps = [digest({ ...AT_NINE, timezone }), delay({ timezone })];
      const body = { name: 'Zones', notificationGroupId: await generalGroupId(session), steps };
      expect(await faultsOf(session.post('/v1/workflows', body))).toEqual([
        "steps.0.metadata.timezone must be 'subscriber' or a time zone, such as Europe/Berlin",
        "steps.1.metadata.timezone must be 'subscriber' or a time zone, such as Europe/Berlin",
      ]);
    },
  );

  it('should be shown as it was stored, and be removed by null', async () => {
    const timezone = 'Europe/Berlin';
    const { identifier } = await createWorkflow(session, [digest({ ...AT_NINE, timezone }), inApp('Hello')]);
    const read = (): Promise<{ _id: string; steps: { metadata: Json }[] }> =>
      dataOf(session.get(`/v1/workflows/${identifier}`), 200);
    const { _id, steps } = await read();
    expect(steps[0]?.metadata).toMatchObject({ timezone });
    const changed = [{ ...steps[0], metadata: { ...AT_NINE, timezone: null } }];
    await session.put(`/v1/workflows/${_id}`, { steps: changed }).expect(200);
    expect((await read()).steps[0]?.metadata).not.toHaveProperty('timezone');
  });
});

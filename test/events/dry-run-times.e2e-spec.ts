import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, inApp, waitForEvent } from '../support/delivery.js';
import { useHerald, useSession } from '../support/herald.js';

const HOUR_MS = 3_600_000;

const herald = useHerald();
const session = useSession(herald);

interface Step extends Json {
  type: string;
  status: string;
  at?: string;
  until?: string;
}

const PAID = waitForEvent(
  { event: 'order.paid', amount: 3, unit: 'days', onTimeout: 'continue' },
  { stepId: 'wait-for-payment' },
);

async function stepsOf(body: Json): Promise<Step[]> {
  const answer = await dataOf<{ recipients: { steps: Step[] }[] }>(
    session.post('/v1/events/trigger/dry-run', { to: 'ada', ...body }),
    200,
  );
  return answer.recipients[0]?.steps ?? [];
}

/** Hours after the beginning of the run. */
function hoursOf(steps: readonly Step[]): (number | undefined)[] {
  const start = Date.parse(steps[0]?.at ?? '');
  return steps.map(({ at }) => (at === undefined ? undefined : Math.round((Date.parse(at) - start) / HOUR_MS)));
}

describe('POST /v1/events/trigger/dry-run with waits', () => {
  it('should say when each step begins, and take no event to come unless it is told', async () => {
    const { identifier, steps } = await createWorkflow(session, [
      inApp('Ordered'),
      delay({ amount: 1, unit: 'hours' }),
      PAID,
      inApp('After it'),
    ]);
    const late = await stepsOf({ name: identifier });
    expect(hoursOf(late)).toEqual([0, 0, 1, 73]);
    expect(late[2]).toMatchObject({ wait: { event: 'order.paid', outcome: 'timed_out' } });
    for (const key of ['wait-for-payment', steps[2]?.uuid ?? '', steps[2]?._id ?? '']) {
      const early = await stepsOf({ name: identifier, waits: { [key]: 'matched' } });
      expect(hoursOf(early)).toEqual([0, 0, 1, 1]);
      expect(early[2]).toMatchObject({ status: 'completed', wait: { outcome: 'matched' } });
    }
  });

  it('should go on as the step says of the outcome', async () => {
    const stops = waitForEvent({ event: 'order.paid', onMatch: 'stop', onTimeout: 'continue' }, { stepId: 'wait' });
    const { identifier } = await createWorkflow(session, [stops, inApp('Please pay')]);
    expect((await stepsOf({ name: identifier }))[1]).toMatchObject({ status: 'completed' });
    const [, ended] = await stepsOf({ name: identifier, waits: { wait: 'matched' } });
    expect(ended).toMatchObject({ status: 'skipped', reason: 'wait_matched', messages: [] });
  });

  it('should refuse steps that the workflow does not have, and other outcomes', async () => {
    const { identifier } = await createWorkflow(session, [PAID, inApp('After it')]);
    const faults = async (waits: unknown): Promise<string[]> =>
      faultsOf(await session.post('/v1/events/trigger/dry-run', { name: identifier, to: 'ada', waits }).expect(400));
    expect((await faults({ other: 'matched' }))[0]).toMatch(/^waits\.other is no step of the workflow/);
    expect(await faults({ 'wait-for-payment': 'later' })).toEqual([
      'waits.wait-for-payment must be one of: matched, timed_out',
    ]);
    expect(await faults([])).toEqual(['waits must be an object']);
    await session.post('/v1/events/trigger/dry-run', { name: identifier, to: 'ada', waits: null }).expect(200);
  });
});

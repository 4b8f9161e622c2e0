import type { TestSession } from '../harness/index.js';
import { StepFigures } from '../../src/outcomes/activity/step-figures.service.js';
import { createWorkflow, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';

const PEOPLE = 6;

/** The most that one request reads, with small numbers. */
describe('figures of steps in a large environment', () => {
  const delivery = useDeliveryApi('step_figures');
  let session: TestSession;
  beforeAll(async () => {
    session = await delivery.api.session();
  });

  const figures = (workflow: string, most: number) => {
    const caller = { environmentId: session.environmentId, organizationId: session.organizationId };
    return delivery.api.app.get(StepFigures, { strict: false }).get(caller as never, { workflow, days: 30 }, most);
  };

  it('should count the newest notifications and messages from one moment, which it tells', async () => {
    const all = { arms: [{ name: 'A', share: 100 }, { name: 'B', share: 0 }] }; // prettier-ignore
    const { identifier } = await createWorkflow(session, [
      { stepId: 'test', template: { type: 'split' }, metadata: all },
      inApp('A', { branch: { step: 'test', arm: 'A' } }),
      inApp('A again', { branch: { step: 'test', arm: 'A' } }),
    ]);
    const times: Date[] = [];
    for (let n = 0; n < PEOPLE; n += 1) {
      delivery.clock.advance(60_000);
      times.push(delivery.clock.now());
      await trigger(session, { name: identifier, to: `s${n}` });
      await delivery.drain();
    }
    const whole = await figures(identifier, 100);
    expect(whole.isComplete).toBe(true);
    expect(whole.steps[0]?.arms?.[0]).toMatchObject({ runs: PEOPLE, messages: 2 * PEOPLE });
    // Four messages are those of the last two notifications.
    const last = await figures(identifier, 4);
    expect(last).toMatchObject({ isComplete: false, since: times[PEOPLE - 2] });
    expect(last.steps[0]?.arms?.[0]).toMatchObject({ runs: 2, messages: 4 });
  });
});

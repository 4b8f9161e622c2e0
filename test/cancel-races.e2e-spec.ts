import type { TestSession } from '#libs/testing';
import { DigestLedger } from '../src/delivery/digest/digest-ledger.js';
import {
  createWorkflow,
  type DeliveryApi,
  feedOf,
  inApp,
  notificationOf,
  startDeliveryApi,
  trigger,
} from './support/delivery.js';

const DIGEST = { template: { type: 'digest', content: '' }, metadata: { type: 'regular', amount: 5, unit: 'minutes' } };
const LIST = inApp('{{#each step.events}}{{n}},{{/each}}');

describe('a cancellation that meets others at work', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  let ledger: DigestLedger;

  beforeAll(async () => {
    delivery = await startDeliveryApi('cancel_races');
    ledger = delivery.api.app.get(DigestLedger, { strict: false });
  });
  beforeEach(async () => {
    session = await delivery.api.session();
  });
  afterAll(() => delivery.api.close());

  const cancel = async (id: string): Promise<unknown> =>
    ((await session.delete(`/v1/events/trigger/${id}`).expect(200)).body as { data: unknown }).data;
  const contents = async (): Promise<string[]> => (await feedOf(session, 'ann')).map(({ content }) => content);
  /** Lets something happen at the moment at which the next run takes part in a digest. */
  const beforeJoining = (act: () => Promise<void>): void => {
    const { join } = ledger;
    ledger.join = async (runs) => {
      ledger.join = join;
      await act();
      return join.call(ledger, runs);
    };
  };

  it.each([
    ['lead', 0],
    ['join', 1],
  ])('should end a run that is about to %s a digest at once', async (_role, before) => {
    const { identifier } = await createWorkflow(session, [DIGEST, LIST]);
    for (let n = 0; n < before; n += 1) {
      await trigger(session, { name: identifier, to: 'ann', payload: { n } });
      await delivery.drain();
    }
    beforeJoining(async () => expect(await cancel('called-off')).toBe(true));
    await trigger(session, { name: identifier, to: 'ann', payload: { n: 9 }, transactionId: 'called-off' });
    await delivery.drain();
    const { status, jobs } = await notificationOf(session, 'called-off');
    expect(status).toBe('canceled');
    expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual([
      'Step created',
      'Step queued',
      'Step was canceled',
    ]);
    await delivery.drain(600_000);
    expect(await contents()).toEqual(before === 0 ? [] : ['0,']);
  });
});

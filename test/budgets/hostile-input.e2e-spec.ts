import type { TestSession } from '../harness/index.js';
import { createWorkflow, digest, email, feedOf, inApp, trigger } from '../support/delivery.js';
import { startDeliveryApi, useDeliveryApi } from '../support/delivery-api.js';
import { dataOf } from '../support/answers.js';

const delivery = useDeliveryApi('budgets', { RENDER_TIMEOUT_MS: '20000' });
let session: TestSession;

beforeAll(async () => {
  session = await delivery.api.session();
});

interface Detail {
  readonly detail: string;
  readonly status: string;
  readonly raw: string;
}

/** Triggers, delivers, and reads the trail of what came of it. */
async function trailOf(name: string, payload: Record<string, unknown>): Promise<Detail[]> {
  const transactionId = await trigger(session, { name, to: 'somebody', payload });
  await delivery.drain();
  const [found] = await dataOf<{ jobs: { executionDetails: Detail[] }[] }[]>(
    session.get(`/v1/notifications?transactionId=${transactionId}`),
    200,
  );
  return (found?.jobs ?? []).flatMap(({ executionDetails }) => executionDetails);
}

const filters = (operator: string, value: unknown): unknown[] => [
  { value: 'AND', children: [{ on: 'payload', field: 'x', operator, value }] },
];

/** Processor time of the whole process, its threads included: far below what each of these took without limits. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('hostile input', () => {
  it('should fail a step whose condition compares too much, and say why', async () => {
    const value = Array.from({ length: 1_000 }, (_, index) => `value ${index}`);
    const { identifier } = await createWorkflow(session, [inApp('x', { filters: filters('ANY_IN', value) })]);
    const details = await trailOf(identifier, { x: 'a,'.repeat(2_000_000) });
    expect(details).toContainEqual(
      expect.objectContaining({
        status: 'Failed',
        raw: JSON.stringify({
          error: 'A condition reads a text of 4,000,000 characters as a list; the maximum is 100,000.',
        }),
      }),
    );
  });

  it('should compare a text of many digits without delay', async () => {
    const { identifier } = await createWorkflow(session, [inApp('x', { filters: filters('LARGER', '5') })]);
    const took = await processorTime(() => trailOf(identifier, { x: `${'1'.repeat(100_000)}x` }));
    expect(took).toBeLessThan(20_000);
  });

  it('should keep a digest of long texts in the trail without searching them whole', async () => {
    const { identifier } = await createWorkflow(session, [
      digest({ amount: 5, unit: 'seconds' }),
      inApp('{{step.total_count}} events'),
    ]);
    const took = await processorTime(async () => {
      for (let time = 0; time < 3; time += 1) {
        await trigger(session, { name: identifier, to: 'digested', payload: { x: 'a.'.repeat(100_000) } });
        await delivery.drain();
      }
      await delivery.drain(10_000);
    });
    expect(await feedOf(session, 'digested')).toMatchObject([{ content: '3 events' }]);
    expect(took).toBeLessThan(60_000);
  });

  it('should refuse a mail of elements that are never closed', async () => {
    const { identifier } = await createWorkflow(session, [email('x', '{{{x}}}', { contentType: 'editor' })]);
    const details = await trailOf(identifier, { x: '<b></i>'.repeat(130_000) });
    expect(details).toContainEqual(
      expect.objectContaining({
        status: 'Failed',
        raw: JSON.stringify({ error: 'the HTML has too many elements that are not closed' }),
      }),
    );
  });

  it('should go on answering while templates are rendered that take long', async () => {
    const loops = '{{#each list}}{{#each ../list}}{{uppercase this}}{{/each}}{{/each}}';
    const { identifier } = await createWorkflow(
      session,
      Array.from({ length: 6 }, () => inApp(loops)),
    );
    const list = Array.from({ length: 300 }, () => 'a');
    await trigger(session, { name: identifier, to: ['one', 'two'], payload: { list } });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 2);
    await delivery.drain();
    clearInterval(timer);
    // Twelve messages of 90,000 passes each: on the event loop, timers would have had their turn between batches only.
    expect(turns).toBeGreaterThan(50);
    const [first] = await feedOf(session, 'one');
    expect(first?.content).toBe('A'.repeat(90_000));
    expect(await feedOf(session, 'two')).toHaveLength(6);
  });

  it('should fail a step whose rendering outlives its deadline, and do the next one', async () => {
    const hasty = await startDeliveryApi('hasty', { RENDER_TIMEOUT_MS: '100' });
    try {
      const caller = await hasty.api.session();
      const paragraphs = '<p>{{{x}}}</p>';
      const content = Array.from({ length: 30 }, () => ({ type: 'text', content: paragraphs }));
      const { identifier } = await createWorkflow(caller, [
        { template: { type: 'email', subject: 'x', contentType: 'editor', content } },
        inApp('afterwards'),
      ]);
      await trigger(caller, { name: identifier, to: 'somebody', payload: { x: '<p>text</p>'.repeat(20_000) } });
      await hasty.drain();
      expect(await feedOf(caller, 'somebody')).toMatchObject([{ content: 'afterwards' }]);
      const failed = JSON.stringify(await hasty.rows('notifications'));
      expect(failed).toContain('rendering took longer than the 100 ms that it may take');
    } finally {
      await hasty.api.close();
    }
  });
});

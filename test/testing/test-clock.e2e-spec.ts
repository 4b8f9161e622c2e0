import type { TestSession } from '../harness/index.js';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { createSchedule } from '../factories/schedule.factory.js';
import { unique } from '../factories/ids.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, digest, email, feedOf, inApp, smtpIntegration, trigger } from '../support/delivery.js';
import { storeNamed } from '../support/delivery-api.js';
import { startTestApi, useSession, useTestApi } from '../support/test-api.js';

const DAY_MS = 86_400_000;
const CLOCK = '/v1/testing/clock';

const api = useTestApi({ TEST_CLOCK: 'on' });
const session = useSession(api);

const move = (body: Json, by: TestSession = session): Promise<Json> => dataOf(by.post(CLOCK, body), 200);
const timeOf = async (): Promise<number> =>
  new Date(String((await dataOf<Json>(session.get(CLOCK), 200))['now'])).getTime();

describe('a test clock', () => {
  let smtp: SmtpCatcher;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  });
  afterAll(() => smtp.close());

  it('should let three days of digests, delays and schedules pass in the order of their times', async () => {
    await smtpIntegration(session, smtp.port, { primary: true });
    const { identifier: news } = await createWorkflow(session, [
      digest({ amount: 1, unit: 'days' }),
      inApp('{{step.total_count}} news'),
      delay({ amount: 1, unit: 'days' }),
      email('{{title}}', '<p>Have you seen it?</p>'),
    ]);
    const { identifier: daily } = await createWorkflow(session, [inApp('Daily')]);
    const start = await timeOf();
    const to = { subscriberId: unique('ada'), email: 'ada@example.com' };
    // Half a day after the digest, whatever the time is.
    const begin = new Date(start + DAY_MS / 2);
    await createSchedule(session, {
      workflow: daily,
      subscribers: [to.subscriberId],
      rule: { frequency: 'daily', hour: begin.getUTCHours(), minute: begin.getUTCMinutes() },
      timezone: 'UTC',
    });
    await trigger(session, { name: news, to, payload: { title: 'a' } });
    // The mail is of the event that began the digest.
    await move({ amount: 1, unit: 'seconds' });
    await trigger(session, { name: news, to, payload: { title: 'b' } });

    const before = process.cpuUsage();
    const moved = await move({ amount: 3, unit: 'days' });
    const { user, system } = process.cpuUsage(before);

    expect(moved).toMatchObject({ isDone: true });
    expect(Number(moved['moments'])).toBeGreaterThanOrEqual(5);
    expect((user + system) / 1_000_000).toBeLessThan(1);
    const feed = await feedOf(session, to.subscriberId);
    expect(feed.map(({ content }) => content).reverse()).toEqual(['Daily', '2 news', 'Daily', 'Daily']);
    expect(smtp.mails.map(({ subject }) => subject)).toEqual(['a']);
    expect(Math.abs((await timeOf()) - start - 3 * DAY_MS)).toBeLessThan(DAY_MS / 24);
  });

  it('should end nothing early, and move step by step or to a time', async () => {
    const { identifier: name } = await createWorkflow(session, [delay({ amount: 2, unit: 'days' }), inApp('Now')]);
    const to = unique('ada');
    await trigger(session, { name, to });
    const count = async (): Promise<number> => (await feedOf(session, to)).length;
    await move({ amount: 47, unit: 'hours', to: null });
    expect(await count()).toBe(0);
    await move({ to: new Date((await timeOf()) + 2 * 3_600_000).toISOString(), amount: null, unit: null });
    expect(await count()).toBe(1);
  });

  it('should give a trail and answers that tell that time', async () => {
    await move({ amount: 1, unit: 'weeks' });
    const now = await timeOf();
    const { identifier: name } = await createWorkflow(session, [inApp('Now'), delay({ amount: 1, unit: 'hours' })]);
    const to = unique('ada');
    const transactionId = await trigger(session, { name, to });
    await move({ amount: 0, unit: 'seconds' });
    const [notification] = await dataOf<Json[]>(session.get(`/v1/notifications?transactionId=${transactionId}`), 200);
    const { createdAt } = notification as { createdAt: string };
    expect(Math.abs(new Date(createdAt).getTime() - now)).toBeLessThan(DAY_MS / 24);
  });

  it('should move one after the other', async () => {
    const start = await timeOf();
    const answers = await Promise.all([1, 2, 3].map(() => move({ amount: 1, unit: 'days' })));
    const times = answers.map(({ now }) => new Date(String(now)).getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Math.round(((await timeOf()) - start) / DAY_MS)).toBe(3);
  });

  it('should refuse what it cannot do', async () => {
    expect(await faultsOf(session.post(CLOCK, {}))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^amount /), expect.stringMatching(/^unit /)]),
    );
    expect(await faultsOf(session.post(CLOCK, { to: 'soon' }))).toEqual([expect.stringMatching(/^to /)]);
    expect(await codeOf(session.post(CLOCK, { to: '2020-01-01T00:00:00Z' }), 422)).toBe('test_clock_backwards');
    expect(await codeOf(session.post(CLOCK, { amount: 53, unit: 'weeks' }), 422)).toBe('test_clock_too_far');
    const [, production] = await api.siblings();
    expect(await codeOf(production.post(CLOCK, { amount: 1, unit: 'days' }), 403)).toBe('test_clock_in_production');
    expect(await codeOf(production.get(CLOCK), 403)).toBe('test_clock_in_production');
  });
});

describe('a Herald that is not for tests', () => {
  const usual = useTestApi();
  const caller = useSession(usual);

  it('should refuse to move its time, and say what to do', async () => {
    const { message } = (await caller.post(CLOCK, { amount: 1, unit: 'days' }).expect(409)).body as { message: string };
    expect(message).toContain('TEST_CLOCK=on');
    expect(await codeOf(caller.get(CLOCK), 409)).toBe('test_clock_off');
  });
});

describe('a Herald for tests that starts again', () => {
  it('should go on with its time', async () => {
    const store = storeNamed('test_clock_restart');
    const first = await startTestApi({ TEST_CLOCK: 'on' }, store);
    await dataOf((await first.session()).post(CLOCK, { amount: 3, unit: 'days' }), 200);
    await first.close();
    const second = await startTestApi({ TEST_CLOCK: 'on' }, store);
    const { offsetMs } = await dataOf<Json>((await second.session()).get(CLOCK), 200);
    await second.close();
    expect(Math.round(Number(offsetMs) / DAY_MS)).toBe(3);
  });
});

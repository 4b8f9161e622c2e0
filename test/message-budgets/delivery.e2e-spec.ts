import { budgetPath, createBudget } from '../factories/budget.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { clientOf } from '../support/client.js';
import {
  createWorkflow,
  feedOf,
  inApp,
  notificationOf,
  type SentEvent,
  type ShownNotification,
  trigger,
} from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const IN_APP = { channels: ['in_app'] };

describe('a budget of messages', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  // 10:00 in Kolkata, of tomorrow, as the clock never goes back; midnight there is at 18:30 UTC.
  const MORNING = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 4.5 * 3_600_000);
  let day = 0;

  beforeEach(() => delivery.clock.moveTo(new Date(MORNING.getTime() + 10 * DAY_MS * day++)));

  const today = (time: string): string => `${delivery.clock.now().toISOString().slice(0, 10)}T${time}:00.000Z`;
  const contents = async (subscriberId = 'ann'): Promise<string[]> =>
    (await feedOf(session, subscriberId)).map(({ content }) => content).reverse();
  const send = async (name: string, n: number, more: Partial<SentEvent> = {}): Promise<string> => {
    const id = await trigger(session, { name, to: 'ann', ...more, payload: { n } });
    await delivery.drain();
    await delivery.clock.advance(1_000);
    return id;
  };
  const inKolkata = (): Promise<unknown> =>
    clientOf(session).subscribers.createSubscriber({ body: { subscriberId: 'ann', timezone: 'Asia/Kolkata' } });
  const entriesOf = ({ jobs }: ShownNotification, step = 0): [string, unknown][] =>
    (jobs[step]?.executionDetails ?? [])
      .filter(({ detail }) => /budget/.test(detail))
      .map(({ detail, raw }) => [detail, JSON.parse(raw ?? '{}') as unknown]);
  const workflow = async (more: Json = {}, text = '{{n}}'): Promise<string> =>
    (await createWorkflow(session, [inApp(text)], more)).identifier;

  it('should count over all workflows, drop what is over it, and say so in the trail', async () => {
    await inKolkata();
    const { name } = await createBudget(session, { ...IN_APP, max: 3 });
    const names = [await workflow(), await workflow(), await workflow()];
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await send(names[n % 3] ?? '', n));
    expect(await contents()).toEqual(['0', '1', '2']);
    const third = await notificationOf(session, ids[2] ?? '');
    expect(entriesOf(third)).toEqual([
      ['Message is within the budget of the subscriber', { budgets: [{ name, count: 3, max: 3 }] }],
    ]);
    const fourth = await notificationOf(session, ids[3] ?? '');
    expect(fourth.jobs).toMatchObject([
      { status: 'skipped', reason: 'budget', explanation: { title: 'The budget of the subscriber is used up' } },
    ]);
    expect(entriesOf(fourth)).toEqual([
      [
        'Step skipped because the budget of the subscriber is used up',
        { budget: name, count: 3, max: 3, opensAt: today('18:30') },
      ],
    ]);
  });

  it('should begin anew at midnight of the subscriber', async () => {
    await inKolkata();
    await createBudget(session, { ...IN_APP, max: 1 });
    const name = await workflow();
    await send(name, 1);
    await delivery.clock.moveTo(new Date(Date.parse(today('18:30')) - 1));
    await send(name, 2);
    await delivery.clock.moveTo(new Date(today('18:30')));
    await send(name, 3);
    await send(name, 4);
    expect(await contents()).toEqual(['1', '3']);
  });

  it('should let no more through in any stretch of a rolling window', async () => {
    await createBudget(session, { ...IN_APP, max: 2, window: 'rolling', amount: 1, unit: 'hours' });
    const name = await workflow();
    const begin = delivery.clock.now().getTime();
    const passed: number[] = [];
    for (const minute of [0, 40, 59, 60, 61, 99, 100, 119, 120]) {
      await delivery.clock.moveTo(new Date(begin + minute * 60_000));
      await trigger(session, { name, to: 'ann', payload: { n: minute } });
      await delivery.drain();
    }
    passed.push(...(await contents()).map(Number));
    expect(passed).toEqual([0, 40, 60, 100, 120]);
  });

  it('should count channels and subscribers apart, and in-app messages only where it names them', async () => {
    await createBudget(session, { max: 1 });
    await createBudget(session, { channels: ['sms'], max: 1 });
    const name = await workflow();
    for (let n = 0; n < 3; n += 1) await send(name, n);
    expect(await contents()).toEqual(['0', '1', '2']);
    await createBudget(session, { ...IN_APP, max: 1 });
    await send(name, 3, { to: ['bob', 'eve'] });
    await send(name, 4, { to: ['bob', 'eve'] });
    expect([await contents('bob'), await contents('eve')]).toEqual([['3'], ['3']]);
  });

  it('should not count a message that another budget stops', async () => {
    await createBudget(session, { ...IN_APP, max: 2, name: 'wide' });
    await createBudget(session, { ...IN_APP, max: 1, window: 'rolling', amount: 1, unit: 'hours' });
    const name = await workflow();
    for (let n = 0; n < 4; n += 1) await send(name, n);
    await delivery.clock.advance(HOUR_MS);
    const id = await send(name, 9);
    expect(await contents()).toEqual(['0', '9']);
    const [[, raw] = []] = entriesOf(await notificationOf(session, id));
    expect(raw).toMatchObject({ budgets: [{ name: 'wide', count: 2, max: 2 }, { count: 1 }] });
  });

  it('should let critical workflows pass, and count them apart', async () => {
    await createBudget(session, { ...IN_APP, max: 1 });
    const [usual, critical] = [await workflow(), await workflow({ critical: true })];
    await send(critical, 0);
    await send(usual, 1);
    await send(usual, 2);
    const id = await send(critical, 3);
    expect(await contents()).toEqual(['0', '1', '3']);
    expect(entriesOf(await notificationOf(session, id))).toEqual([
      ['Message is critical and is counted apart from the budget of the subscriber', { critical: 2 }],
    ]);
  });

  describe('that holds', () => {
    const DIGEST =
      '{{total_count}}:{{#each messages}}{{channel}} {{workflow.name}} {{content}};{{/each}}{{budget.name}}';
    let digest: string;

    beforeEach(async () => {
      digest = await workflow({ name: 'Daily' }, DIGEST);
    });
    const holding = (more: Json = {}): Promise<Json> =>
      createBudget(session, { ...IN_APP, name: 'few', max: 2, over: 'hold', digestWorkflow: digest, ...more });

    it('should bring what is over it as one digest when it opens, and nothing before', async () => {
      await inKolkata();
      await holding();
      const [one, two] = [await workflow({ name: 'One' }), await workflow({ name: 'Two' })];
      const ids: string[] = [];
      for (let n = 0; n < 6; n += 1) ids.push(await send(n % 2 === 0 ? one : two, n));
      expect(await contents()).toEqual(['0', '1']);
      const held = await notificationOf(session, ids[2] ?? '');
      const opensAt = today('18:30');
      expect(held.jobs).toMatchObject([{ status: 'delayed' }]);
      expect(entriesOf(held)).toEqual([
        [
          'Message is held because the budget of the subscriber is used up',
          { budget: 'few', count: 2, max: 2, opensAt },
        ],
      ]);
      await delivery.clock.moveTo(new Date(Date.parse(opensAt) - 1));
      await delivery.drain();
      expect(await contents()).toEqual(['0', '1']);
      await delivery.clock.moveTo(new Date(opensAt));
      await delivery.drain();
      expect(await contents()).toEqual(['0', '1', '4:in_app One 2;in_app Two 3;in_app One 4;in_app Two 5;few']);
      const ended = await notificationOf(session, ids[5] ?? '');
      expect(ended.jobs).toMatchObject([{ status: 'skipped', reason: 'budget_digest' }]);
      const [, raw] = entriesOf(ended).at(-1) ?? [];
      expect(raw).toMatchObject({ budget: 'few', workflow: digest, messages: 4 });
      const { transactionId } = raw as { transactionId: string };
      expect((await notificationOf(session, transactionId)).jobs).toMatchObject([{ status: 'completed' }]);
      // The digest counts: of the two of the new day, one is left.
      await delivery.clock.advance(1_000);
      await send(one, 6);
      await send(one, 7);
      expect((await contents()).slice(3)).toEqual(['6']);
    });

    it('should belong to the tenant of all its messages, and to none if they are of several', async () => {
      digest = await workflow({}, '{{tenant.identifier}}:{{#each messages}}{{tenant}};{{/each}}');
      await holding({ max: 1 });
      for (const identifier of ['acme', 'globex'])
        await session.post('/v1/tenants', { identifier, name: identifier }).expect(201);
      const name = await workflow();
      for (const tenants of [
        ['acme', 'acme', 'acme'],
        ['acme', 'acme', 'globex'],
        ['acme', 'acme', ''],
      ]) {
        for (const [n, tenant] of tenants.entries()) await send(name, n, { tenant });
        await delivery.clock.advance(DAY_MS);
        await delivery.drain();
        await delivery.clock.advance(DAY_MS);
      }
      expect((await contents()).filter((text) => text !== '0')).toEqual([
        'acme:acme;acme;',
        ':acme;globex;',
        ':acme;;',
      ]);
    });

    it('should leave out what was canceled, and send no digest of nothing', async () => {
      await holding({ max: 1 });
      const name = await workflow({ name: 'One' });
      const ids = [await send(name, 0), await send(name, 1), await send(name, 2)];
      await clientOf(session).events.cancelEvent({ path: { transactionId: ids[1] ?? '' } });
      await delivery.clock.advance(DAY_MS);
      await delivery.drain();
      expect(await contents()).toEqual(['0', '1:in_app One 2;few']);
      const last = [await send(name, 3), await send(name, 4)];
      for (const transactionId of last) await clientOf(session).events.cancelEvent({ path: { transactionId } });
      await delivery.clock.advance(DAY_MS);
      await delivery.drain();
      expect(await contents()).toHaveLength(2);
    });

    it('should free what it holds, each once, when it is removed', async () => {
      const budget = await holding({ max: 1 });
      const name = await workflow();
      for (let n = 0; n < 4; n += 1) await send(name, n);
      expect(await contents()).toEqual(['0']);
      await session.delete(budgetPath(budget)).expect(204);
      await delivery.drain();
      expect((await contents()).sort()).toEqual(['0', '1', '2', '3']);
      await delivery.clock.advance(2 * DAY_MS);
      await delivery.drain();
      expect(await contents()).toHaveLength(4);
    });

    it('should send the digest at once when its limit is raised', async () => {
      const { _id, ...budget } = await holding({ max: 1 });
      const name = await workflow({ name: 'One' });
      for (let n = 0; n < 3; n += 1) await send(name, n);
      const { channels, over, digestWorkflow } = budget;
      const body = { name: 'few', channels, over, digestWorkflow, max: 5 };
      await dataOf(session.put(budgetPath({ _id }), body), 200);
      await delivery.drain();
      expect(await contents()).toEqual(['0', '2:in_app One 1;in_app One 2;few']);
    });

    it('should keep what it holds, to be replayed, where the workflow of its digest cannot run', async () => {
      await holding({ max: 1 });
      const name = await workflow({ name: 'One' });
      const ids = [await send(name, 0), await send(name, 1)];
      const found = await clientOf(session).workflows.listWorkflows({ query: { limit: 100 } });
      const id = found.find(({ triggers }) => triggers[0]?.identifier === digest)?._id ?? '';
      const active = (is: boolean): Promise<unknown> =>
        clientOf(session).workflows.updateWorkflowStatus({ path: { workflowId: id }, body: { active: is } });
      await active(false);
      await delivery.clock.advance(DAY_MS);
      await delivery.drain();
      const failed = await notificationOf(session, ids[1] ?? '');
      expect(failed.jobs).toMatchObject([{ status: 'failed', reason: 'budget_digest', deadLetter: true }]);
      await active(true);
      await clientOf(session).notifications.replayNotification({ path: { notificationId: failed._id }, body: {} });
      await delivery.drain();
      expect(await contents()).toEqual(['0', '1:in_app One 1;few']);
    });
  });

  it('should tell in a dry run, and count nobody', async () => {
    const { name: budget } = await createBudget(session, { ...IN_APP, max: 1 });
    const name = await workflow();
    const dryRun = async (): Promise<unknown> => {
      const body = { name, to: 'ann', payload: { n: 1 } };
      const { recipients } = await clientOf(session).events.dryRunEvent({ body });
      const [{ steps: [step] = [] } = {}] = recipients;
      return step && { status: step.status, reason: step.reason, budget: step.budget };
    };
    await send(name, 0, { to: 'bob' });
    await clientOf(session).subscribers.createSubscriber({ body: { subscriberId: 'ann' } });
    const passing = {
      status: 'completed',
      budget: { decision: 'passed', budgets: [{ name: budget, count: 1, max: 1 }] },
    };
    expect([await dryRun(), await dryRun()]).toMatchObject([passing, passing]);
    await send(name, 1);
    expect(await dryRun()).toMatchObject({
      status: 'skipped',
      reason: 'budget',
      budget: {
        decision: 'dropped',
        budgets: [{ name: budget, count: 1, max: 1, opensAt: expect.any(String) as string }],
      },
    });
    expect(await contents()).toEqual(['1']);
  });
});

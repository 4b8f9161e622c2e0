import { getConnectionToken } from '@nestjs/mongoose';
import type { Collection, Connection } from 'mongoose';
import type { TestSession } from '../harness/index.js';
import { ReplayWorker } from '../../src/outcomes/notification-replays/index.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { codeOf, dataOf, faultsOf, type Json, pageOf } from '../support/answers.js';
import { createWorkflow, email, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';

interface ShownReplay {
  readonly _id: string;
  readonly status: string;
  readonly examined: number;
  readonly replayed: number;
  readonly total?: number;
  readonly skipped: Record<string, number>;
}

interface Row {
  readonly _id: string;
  readonly transactionId: string;
  readonly status: string;
  readonly jobs: { readonly replays?: number; readonly executionDetails: { detail: string; raw?: string }[] }[];
}

const REPLAY = '/v1/notifications/replay';
const REPLAYS = '/v1/notifications/replays';

describe('replays of failed notifications', () => {
  const delivery = useDeliveryApi('replays', { DELIVERY_WORKER: 'off' });
  let session: TestSession;
  let mail: string;
  beforeEach(async () => {
    session = await delivery.api.session();
    // There is no integration for mail, so each of its notifications fails.
    ({ identifier: mail } = await createWorkflow(session, [email('Hello', 'text')]));
  });

  const collection = (name: string): Collection =>
    delivery.api.app.get<Connection>(getConnectionToken()).collection(name);
  const fail = async (count: number, name = mail): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      ids.push(await trigger(session, { name, to: `s${n}` }));
      await delivery.drain(10);
    }
    return ids;
  };
  const start = (body: Json, caller = session): Promise<ShownReplay> => dataOf(caller.post(REPLAY, body), 202);
  const work = (ms = 60_000): Promise<void> =>
    delivery.api.app.get(ReplayWorker).drain(new Date(delivery.clock.now().getTime() + ms));
  const shown = (id: string): Promise<ShownReplay> => dataOf(session.get(`${REPLAYS}/${id}`), 200);
  const rows = (): Promise<Row[]> => dataOf(session.get('/v1/notifications?limit=100'), 200);
  const replaysOf = async (): Promise<(number | undefined)[]> =>
    (await rows()).map(({ jobs: [job] }) => job?.replays).reverse();

  it('should replay what matches, show the progress, and name the key in the trail', async () => {
    await fail(3);
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await fail(1, identifier);
    const { _id, ...asked } = await start({ filter: {} });
    expect(asked).toMatchObject({ status: 'running', examined: 0, replayed: 0, limit: 1_000, includeUncertain: false });
    await work();
    expect(await shown(_id)).toMatchObject({
      status: 'completed',
      total: 3,
      examined: 3,
      replayed: 3,
      skipped: { running: 0, nothingFailed: 0, uncertain: 0, eventGone: 0 },
      endedAt: expect.any(String) as string,
    });
    expect(await replaysOf()).toEqual([1, 1, 1, undefined]);
    await delivery.drain();
    const [, failed] = await rows();
    expect(failed?.status).toBe('failed');
    const raw = failed?.jobs[0]?.executionDetails.find(({ detail }) => detail === 'Step replayed')?.raw ?? '{}';
    expect(JSON.parse(raw)).toMatchObject({ by: { keyId: expect.any(String) as string }, replays: 1 });
  });

  it.each<[string, (ids: string[]) => Json, number[]]>([
    ['a transaction', ([id]) => ({ transactionId: id }), [0]],
    ['subscribers', () => ({ subscriberIds: ['s1', 's2'] }), [1, 2]],
    ['the text of a search', () => ({ search: 's2' }), [2]],
    ['a channel', () => ({ channels: ['email'] }), [0, 1, 2]],
    ['another channel', () => ({ channels: ['sms'] }), []],
    ['a time', () => ({ to: '2001-01-01' }), []],
  ])('should follow a filter by %s', async (_case, filter, expected) => {
    const ids = await fail(3);
    await start({ filter: filter(ids) });
    await work();
    const found = await replaysOf();
    expect(found.flatMap((count, place) => (count === undefined ? [] : place))).toEqual(expected);
  });

  it('should replay no more than the limit, the newest first, and go on with the others when asked again', async () => {
    await fail(5);
    const { _id } = await start({ filter: {}, limit: 2 });
    await work();
    expect(await shown(_id)).toMatchObject({ status: 'completed', total: 2, examined: 2, replayed: 2 });
    expect(await replaysOf()).toEqual([undefined, undefined, undefined, 1, 1]);
    await start({ filter: {} });
    await work();
    expect(await replaysOf()).toEqual([1, 1, 1, 1, 1]);
  });

  it('should leave out what fails after it began', async () => {
    await fail(1);
    await start({ filter: {} });
    delivery.clock.advance(5);
    await fail(1);
    await work();
    expect(await replaysOf()).toEqual([1, undefined]);
  });

  it('should start one replay for repeated requests with an idempotency key', async () => {
    await fail(1);
    const ask = (): Promise<ShownReplay> =>
      dataOf(session.post(REPLAY, { filter: {} }).set('Idempotency-Key', 'replay-1'), 202);
    const [first, second] = [await ask(), await ask()];
    expect(second._id).toBe(first._id);
    await work();
    expect(await replaysOf()).toEqual([1]);
    expect((await pageOf(session.get(REPLAYS))).data).toHaveLength(1);
  });

  it('should leave uncertain messages out unless they are asked for', async () => {
    const [id] = await fail(1);
    const change = { $set: { 'steps.0.mayBeSent': true } };
    await collection('notifications').updateOne({ transactionId: id }, change);
    const first = await start({ filter: {} });
    await work();
    expect(await shown(first._id)).toMatchObject({ examined: 1, replayed: 0, skipped: { uncertain: 1 } });
    const second = await start({ filter: {}, includeUncertain: true });
    await work();
    expect(await shown(second._id)).toMatchObject({ replayed: 1 });
  });

  it('should count notifications whose event is gone', async () => {
    const [id] = await fail(1);
    await collection('triggerEvents').deleteOne({ transactionId: id });
    const { _id } = await start({ filter: {} });
    await work();
    expect(await shown(_id)).toMatchObject({ status: 'completed', replayed: 0, skipped: { eventGone: 1 } });
  });

  it('should list replays, newest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push((await start({ filter: {}, limit: n + 1 }))._id);
      delivery.clock.advance(5);
    }
    const { data, hasMore } = await pageOf<ShownReplay>(session.get(`${REPLAYS}?limit=2`));
    expect(data.map(({ _id }) => _id)).toEqual(ids.slice(1).reverse());
    expect(hasMore).toBe(true);
  });

  describe('when it is stopped', () => {
    it('should replay nothing more', async () => {
      await fail(2);
      const { _id } = await start({ filter: {} });
      expect(await dataOf(session.post(`${REPLAYS}/${_id}/stop`), 202)).toMatchObject({ status: 'stopped' });
      await work();
      expect(await replaysOf()).toEqual([undefined, undefined]);
      expect(await shown(_id)).toMatchObject({ status: 'stopped', replayed: 0 });
    });

    it('should stay as it is after its end', async () => {
      const { _id } = await start({ filter: {} });
      await work();
      expect(await dataOf(session.post(`${REPLAYS}/${_id}/stop`), 202)).toMatchObject({ status: 'completed' });
    });
  });

  it('should refuse more of them than an environment may have', async () => {
    for (let n = 0; n < 10; n += 1) await start({ filter: {} });
    expect(await codeOf(session.post(REPLAY, { filter: {} }), 409)).toBe('too_many_replays');
    await work();
    await start({ filter: {} });
  });

  it.each<[string, Json, RegExp]>([
    ['no filter', {}, /^filter is required and must be an object/],
    ['a list', { filter: [] }, /^filter/],
    ['an id of no record', { filter: { templates: ['x'] } }, /^filter\.templates\.0 must be a record id/],
    ['a time', { filter: { from: 'yesterday' } }, /^filter\.from must be a date and time/],
    ['a time that ends before it begins', { filter: { from: '2026-01-02', to: '2026-01-01' } }, /^from/],
    ['a filter that is misspelled', { filter: { transctionId: 'x' } }, /^filter\.transctionId is not a field/],
    ['a filter that is misplaced', { filter: {}, transactionId: 'x' }, /^transactionId is not a field/],
    ['no limit', { filter: {}, limit: 0 }, /^limit must not be less than 1/],
    ['a large limit', { filter: {}, limit: 100_001 }, /^limit must not be greater than 100000/],
  ])('should refuse %s', async (_case, body, fault) => {
    expect(await faultsOf(session.post(REPLAY, body))).toContainEqual(expect.stringMatching(fault));
  });

  it('should be hidden from other environments, and touch none of their notifications', async () => {
    await fail(1);
    const other = await delivery.api.session();
    const { _id } = await start({ filter: {} }, other);
    await work();
    expect(await replaysOf()).toEqual([undefined]);
    for (const call of [session.get(`${REPLAYS}/${_id}`), session.post(`${REPLAYS}/${_id}/stop`)])
      expect(await codeOf(call, 404)).toBe('notification_replay_not_found');
    expect(await codeOf(session.get(`${REPLAYS}/${UNKNOWN_ID}`), 404)).toBe('notification_replay_not_found');
    await session.get(`${REPLAYS}/x`).expect(400);
    expect((await pageOf(session.get(REPLAYS))).data).toEqual([]);
  });
});

import type { Schemas } from '@herald/client';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { EXPANDING } from '../../src/engine/delivery/expansion/expander.js';
import { createSegment, where } from '../factories/segment.factory.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { crashExpansion } from '../support/crashed-runs.js';
import { createWorkflow, delay, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';

const PEOPLE = 700;

describe('an event to a segment', () => {
  const delivery = useDeliveryApi('segments');
  const session = useSession(delivery.api);

  /** Every second one is on trial. */
  beforeEach(async () => {
    const subscribers = Array.from({ length: PEOPLE }, (_, n) => ({
      subscriberId: `s${n}`,
      data: { plan: n % 2 === 0 ? 'trial' : 'pro', n },
    }));
    for (let from = 0; from < PEOPLE; from += 350) {
      await session.post('/v1/subscribers/bulk', { subscribers: subscribers.slice(from, from + 350) }).expect(201);
    }
    await createSegment(session, { segmentId: 'trials' });
    await createSegment(session, { segmentId: 'first', conditions: where('data.n', 'SMALLER', 3) });
  });

  const to = (segmentId: string): Schemas['SegmentRecipientDto'] => ({ type: 'Segment', segmentId });
  const reached = async (transactionId: string): Promise<string[]> => {
    const rows = await delivery.rows('notifications', { transactionId });
    return rows.map(({ subscriberId }) => String(subscriberId));
  };

  it('should reach each of its subscribers once, beside lists and topics, without the actor', async () => {
    await session.post('/v1/topics/some/subscribers', { subscribers: ['s1', 's2', 's3'] }).expect(200);
    const { identifier } = await createWorkflow(session, [inApp('news')]);
    const transactionId = await trigger(session, {
      name: identifier,
      to: ['s4', 's5', { type: 'Topic', topicKey: 'some' }, to('trials'), to('first'), to('trials')],
      actor: 's6',
    });
    await delivery.drain();
    const ids = await reached(transactionId);
    // 350 on trial without the actor; s1, s3 and s5 are not.
    expect(ids).toHaveLength(352);
    expect(new Set(ids).size).toBe(352);
    expect(ids).not.toContain('s6');
  });

  it('should be for those who belonged to it when it was accepted, whatever becomes of the segment', async () => {
    const { identifier } = await createWorkflow(session, [inApp('news')]);
    const changed = new Promise<void>((resolve) => {
      EXPANDING.armOnce(async () => {
        await session.patch('/v1/segments/first', { conditions: [] }).expect(200);
        await session.delete('/v1/segments/first').expect(204);
        resolve();
      });
    });
    const transactionId = await trigger(session, { name: identifier, to: to('first') });
    await delivery.drain();
    await changed;
    expect((await reached(transactionId)).sort()).toEqual(['s0', 's1', 's2']);
    const refused = await session.post('/v1/events/trigger', { name: identifier, to: to('first') }).expect(400);
    expect(faultsOf(refused)).toEqual([
      "to.segmentId names the segment 'first', which does not exist. Create it with POST /v1/segments.",
    ]);
  });

  it('should go on where a worker has died, and double nobody', async () => {
    const { identifier } = await createWorkflow(session, [inApp('news')]);
    const transactionId = await trigger(session, { name: identifier, to: to('trials') });
    await delivery.drain();
    const { db } = delivery.api.app.get<Connection>(getConnectionToken());
    if (db === undefined) throw new Error('not connected');
    const events: mongo.Collection = db.collection('triggerEvents');
    // A part of the runs was stored, and no checkpoint.
    const some = await delivery.rows('notifications', { transactionId });
    const lost = some.slice(200).map(({ _id }) => _id as mongo.ObjectId);
    await db.collection('notifications').deleteMany({ _id: { $in: lost } });
    await crashExpansion(events, transactionId, delivery.clock.now());
    await delivery.drain(60_000);
    const ids = await reached(transactionId);
    expect(ids).toHaveLength(350);
    expect(new Set(ids).size).toBe(350);
  });

  it('should be canceled', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('late')]);
    const transactionId = await trigger(session, { name: identifier, to: to('trials') });
    await delivery.drain();
    expect(dataOf<unknown>(await session.delete(`/v1/events/trigger/${transactionId}`).expect(200))).toBe(true);
    await delivery.drain(600_000);
    expect(await delivery.rows('messages', { transactionId })).toEqual([]);
  });

  it('should begin for so many in a minute, be the same after a death, and be canceled for the rest', async () => {
    const { identifier } = await createWorkflow(session, [inApp('news')]);
    const slow = { ...to('trials'), perMinute: 100 };
    const transactionId = await trigger(session, { name: identifier, to: slow });
    await delivery.drain();
    const sent = async (): Promise<number> => (await delivery.rows('messages', { transactionId })).length;
    const dueOf = async (): Promise<unknown[]> =>
      (await delivery.rows('notifications', { transactionId, status: 'active' })).map(({ subscriberId, wakeAt }) => [
        subscriberId,
        wakeAt,
      ]);
    const due = await dueOf();
    expect(await sent()).toBeLessThanOrEqual(2);
    const { db } = delivery.api.app.get<Connection>(getConnectionToken());
    if (db === undefined) throw new Error('not connected');
    await db.collection('notifications').deleteMany({ transactionId, subscriberId: { $in: ['s400', 's500', 's600'] } });
    await crashExpansion(db.collection('triggerEvents'), transactionId, delivery.clock.now());
    await delivery.drain();
    expect((await dueOf()).sort()).toEqual(due.sort());
    await delivery.drain(120_000);
    expect(await sent()).toBeGreaterThanOrEqual(200);
    expect(await sent()).toBeLessThanOrEqual(202);
    expect(dataOf<unknown>(await session.delete(`/v1/events/trigger/${transactionId}`).expect(200))).toBe(true);
    await delivery.drain(600_000);
    expect(await sent()).toBeLessThanOrEqual(202);
  });

  it('should be counted by a dry run, and be what a schedule sends', async () => {
    const { identifier } = await createWorkflow(session, [inApp('news')]);
    const planned = dataOf<Json>(
      await session.post('/v1/events/trigger/dry-run?limit=2', { name: identifier, to: to('trials') }).expect(200),
    );
    expect(planned).toMatchObject({
      listed: 0,
      segments: [{ segmentId: 'trials', subscribers: 350 }],
      recipients: [{ subscriberId: 's0' }, { subscriberId: 's2' }],
    });
    const schedule = { workflow: identifier, segments: ['first'], startAt: '2099-01-31T09:00:00Z' };
    const { _id } = dataOf(await session.post('/v1/schedules', schedule).expect(201));
    const { transactionId } = dataOf(await session.post(`/v1/schedules/${String(_id)}/run`).expect(201));
    await delivery.drain();
    expect((await reached(String(transactionId))).sort()).toEqual(['s0', 's1', 's2']);
    const wrong = await session.post('/v1/schedules', { ...schedule, segments: ['none'] }).expect(400);
    expect(faultsOf(wrong)).toEqual(['segments.0 must be the id of a segment; create it with POST /v1/segments']);
  });

  it('should keep a schedule of which the only listed person is deleted', async () => {
    const { identifier } = await createWorkflow(session, [inApp('news')]);
    const body = { workflow: identifier, subscribers: ['s0'], segments: ['first'], startAt: '2099-01-31T09:00:00Z' };
    const { _id } = dataOf(await session.post('/v1/schedules', body).expect(201));
    await session.delete('/v1/subscribers/s0').expect(200);
    const kept = dataOf(await session.get(`/v1/schedules/${String(_id)}`).expect(200));
    expect(kept).toMatchObject({ subscribers: [], segments: ['first'] });
  });
});

import { mongo } from 'mongoose';
import { IntegrationHealth } from '../../src/channels/integrations/index.js';
import { AlertWorker, NOTED } from '../../src/operations/alerts/alert-worker.js';
import { repetitions } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../support/delivery-api.js';
import { feedOf } from '../support/delivery.js';
import { seeded } from '../support/schedules.js';

const LEASE_MS = 10_000;
const HOUR_MS = 3_600_000;
const SETTINGS = { DELIVERY_WORKER: 'off', DELIVERY_LEASE_MS: String(LEASE_MS) };

/** Two processes on one store, of which either may stand still or die after it has noted what is to be told. */
describe('alerts of two processes', () => {
  let one: DeliveryApi;
  let two: DeliveryApi;
  let workers: AlertWorker[];
  beforeAll(async () => {
    const store = storeNamed('alert_schedules');
    one = await startDeliveryApi('alert_schedules', SETTINGS, undefined, store);
    two = await startDeliveryApi('alert_schedules', SETTINGS, one.clock, store);
    workers = [one, two].map(({ api }) => api.app.get(AlertWorker, { strict: false }));
  });
  afterEach(() => NOTED.disarm());
  afterAll(() => Promise.all([one.api.close(), two.api.close()]));

  const SEEDS = Array.from({ length: repetitions({ short: 6, long: 200 }) }, (_, n) => n + 1);
  it.each(SEEDS)('should tell of each outage once and of its end once, with seed %i', async (seed) => {
    const random = seeded(seed);
    const session = await one.api.session();
    const body = { providerId: 'catcher-sms', channel: 'sms', active: true, credentials: {} };
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/integrations', body), 201);
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    await session.patch('/v1/alerts', { isOn: true, kinds: ['provider'], subscribers: ['ada'] }).expect(200);
    const health = one.api.app.get(IntegrationHealth, { strict: false });

    let outages = 0;
    let isDown = false;
    let isKnown = true;
    const stalled = new Map<number, () => void>();
    const turn = async (): Promise<void> => {
      if (isDown) await health.recovered(session, _id, one.clock.now());
      else {
        outages += 1;
        const since = one.clock.now();
        const until = new Date(since.getTime() + HOUR_MS);
        await health.down(session, _id, { since, until, probes: 0, code: 'unavailable', error: 'Away' });
      }
      isDown = !isDown;
      isKnown = false;
    };
    const check = async (place: number): Promise<void> => {
      if (stalled.has(place)) return;
      const fate = random();
      if (fate < 0.3) NOTED.armOnce(() => Promise.reject(new mongo.MongoError('dead')));
      else if (fate < 0.6) NOTED.armOnce(() => new Promise<void>((resume) => stalled.set(place, resume)));
      let isOver = false;
      void workers[place]?.due.runDue().finally(() => (isOver = true));
      // A worker that stands still does so until it is let go on.
      await until(() => isOver || stalled.has(place));
      NOTED.disarm();
    };
    for (let act = 0; act < 40; act += 1) {
      const dice = random();
      const place = Math.floor(random() * workers.length);
      if (dice < 0.2 && isKnown) await turn();
      else if (dice < 0.7) await check(place);
      else if (dice < 0.8) letGo(stalled, place);
      else one.clock.advance(Math.floor(random() * 60_000));
      if (!isKnown) isKnown = await isNoted(one, _id, isDown);
    }
    for (const place of [0, 1]) letGo(stalled, place);
    await Promise.all(workers.map((worker) => worker.due.runDue()));
    await workers[0]?.drain(new Date(one.clock.now().getTime() + 3 * 60_000));
    await one.drain();
    const told = (await feedOf(session, 'ada')).map(({ content }) => String(content).split('.')[0]);
    const ended = told.filter((text) => text?.endsWith('answers again'));
    expect([told.length - ended.length, ended.length]).toEqual([outages, isDown ? outages - 1 : outages]);
    await session.patch('/v1/alerts', { isOn: false }).expect(200);
  });
});

/** Two processes: one stands still past its lease, and the other dies before it has told what it has noted. */
describe('alerts of a process that stands still', () => {
  it('should leave what another one has noted', async () => {
    const store = storeNamed('alert_stalls');
    const one = await startDeliveryApi('alert_stalls', SETTINGS, undefined, store);
    const two = await startDeliveryApi('alert_stalls', SETTINGS, one.clock, store);
    try {
      const [still, dying] = [one, two].map(({ api }) => api.app.get(AlertWorker, { strict: false }));
      const session = await one.api.session();
      const health = one.api.app.get(IntegrationHealth, { strict: false });
      const ids = [];
      for (const channel of ['sms', 'email']) {
        const body = { providerId: `catcher-${channel}`, channel, active: true, credentials: {} };
        ids.push((await dataOf<{ _id: string }>(session.post('/v1/integrations', body), 201))._id);
      }
      await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
      await session.patch('/v1/alerts', { isOn: true, kinds: ['provider'], subscribers: ['ada'] }).expect(200);
      const down = async (id = ''): Promise<void> => {
        const since = one.clock.now();
        const until = new Date(since.getTime() + HOUR_MS);
        await health.down(session, id, { since, until, probes: 0, code: 'unavailable', error: 'Away' });
      };
      await down(ids[0]);
      let goOn = (): void => undefined;
      const stands = new Promise<void>((reached) => {
        NOTED.armOnce(() => {
          reached();
          return new Promise<void>((resume) => (goOn = resume));
        });
      });
      const first = still?.due.runDue();
      await stands;
      await down(ids[1]);
      one.clock.advance(2 * LEASE_MS);
      NOTED.armOnce(() => Promise.reject(new mongo.MongoError('dead')));
      await dying?.due.runDue();
      expect(await one.rows('alerts', { 'unsent.1': { $exists: true } })).toHaveLength(1);
      goOn();
      await first;
      await dying?.drain(new Date(one.clock.now().getTime() + 3 * 60_000));
      await one.drain();
      expect(await feedOf(session, 'ada')).toHaveLength(2);
    } finally {
      NOTED.disarm();
      await Promise.all([one.api.close(), two.api.close()]);
    }
  });
});

function letGo(stalled: Map<number, () => void>, place: number): void {
  stalled.get(place)?.();
  stalled.delete(place);
}

/** The checks have taken note of the present state, whether or not anybody was told. */
async function isNoted(delivery: DeliveryApi, id: string, isDown: boolean): Promise<boolean> {
  const rows = await delivery.rows('alerts', { 'open.about': `provider:${id}` });
  return rows.length > 0 === isDown;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}

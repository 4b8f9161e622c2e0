import { ManualClock } from '#libs/common';
import { type FeedChange, FeedSignals } from '../../src/engine/messages/live/index.js';
import { SnoozeWorker } from '../../src/engine/messages/marks/index.js';
import type { Message } from '../../src/engine/messages/records/index.js';
import { afterDelivery } from '../factories/message.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { storeNamed } from '../support/delivery-api.js';
import { type InboxClient, openInbox } from '../support/inbox-client.js';
import { startTestApi, useApi, useSession } from '../support/test-api.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LEASE_MS = 10_000;

const clock = new ManualClock();
// Two processes on a database of their own, whose workers work when a test says so.
const start = () =>
  useApi(() => startTestApi({ DELIVERY_WORKER: 'off', SNOOZE_MAX_HOURS: '48' }, storeNamed('snooze'), clock));
const apps = [start(), start()] as const;
const [api] = apps;
const session = useSession(api);
const workers = (): [SnoozeWorker, SnoozeWorker] => [apps[0].app.get(SnoozeWorker), apps[1].app.get(SnoozeWorker)];

let client: InboxClient;
let inbox: Awaited<ReturnType<typeof openInbox>>;
let announced: FeedChange[];
let stops: (() => void)[];
beforeEach(async () => {
  await workers()[0].drain(clock.now());
  inbox = afterDelivery(await openInbox(api, session), () => (announced = []));
  client = inbox.client;
  announced = [];
  const note = (changes: readonly FeedChange[]): void => {
    announced.push(...changes.filter(({ subscriberId }) => subscriberId === inbox.subscriber._id));
  };
  stops = apps.map(({ app }) => app.get(FeedSignals).listen(note));
});
afterEach(() => {
  for (const stop of stops) stop();
});

const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms);
const snooze = (id: string, until: Date): Promise<Json> =>
  client.change(id, 'snooze', { snoozeUntil: until.toISOString() });
const woken = (): string[] => announced.flatMap(({ storedIds = [] }) => storedIds);

describe('a snoozed notification', () => {
  it('should be hidden until its time, and then appear as a new one', async () => {
    const [id = '', other] = await inbox.deliver({}, {});
    const [before] = (await dataOf<Json[]>(client.get('notifications'), 200)).slice(-1);
    await client.change(id, 'read');
    const until = inMs(HOUR_MS);
    expect(await snooze(id, until)).toMatchObject({ isSnoozed: true, snoozedUntil: until.toISOString(), isRead: true });
    expect(await client.ids()).toEqual([other]);
    expect(await client.count({}, { snoozed: true }, { read: false })).toEqual([1, 1, 1]);
    await workers()[0].drain(inMs(HOUR_MS - 1));
    expect(await client.ids('snoozed=true')).toEqual([id]);
    await workers()[1].drain(until);
    expect(await client.ids('read=false&seen=false')).toEqual([id, other]);
    const [shown] = await dataOf<Json[]>(client.get('notifications'), 200);
    const deliveredAt = [before?.['createdAt'], until.toISOString()];
    expect(shown).toMatchObject({ isSnoozed: false, createdAt: until.toISOString(), deliveredAt });
    expect(await client.ids(`after=${id}`)).toEqual([other]);
    expect(shown).not.toHaveProperty('snoozedUntil');
    expect(woken()).toEqual([id]);
    expect(announced.at(-1)).toMatchObject({
      environmentId: session.environmentId,
      subscriberId: inbox.subscriber._id,
      unseen: true,
      unread: true,
    });
  });

  it('should stay in the feeds of the management API and of the bell', async () => {
    const [snoozed = '', archived = ''] = await inbox.deliver({}, {});
    await snooze(snoozed, inMs(HOUR_MS));
    await client.change(archived, 'archive');
    const feed = await dataOf<Json[]>(session.get(`${inbox.path}/notifications/feed`), 200);
    expect(feed.map(({ _id }) => _id)).toEqual([archived, snoozed]);
  });

  it('should come back unread when its subscriber asks, and not once more', async () => {
    const [id = ''] = await inbox.deliver({});
    await client.change(id, 'read');
    await snooze(id, inMs(HOUR_MS));
    expect(await client.change(id, 'unsnooze')).toMatchObject({ isSnoozed: false, isRead: false, isSeen: true });
    await client.change(id, 'read');
    expect(await client.change(id, 'unsnooze')).toMatchObject({ isRead: true }); // it is not snoozed
    await workers()[0].drain(inMs(2 * HOUR_MS));
    expect(woken()).toEqual([]);
  });

  it('should follow the latest time', async () => {
    const [id = ''] = await inbox.deliver({});
    const [first, second] = [inMs(HOUR_MS), inMs(2 * HOUR_MS)];
    await snooze(id, first);
    await snooze(id, second);
    await workers()[0].drain(first);
    expect(await client.ids('snoozed=true')).toEqual([id]);
    await workers()[0].drain(second);
    expect(woken()).toEqual([id]);
  });

  it('should leave the archive', async () => {
    const [id = ''] = await inbox.deliver({});
    await client.change(id, 'archive');
    expect(await snooze(id, inMs(HOUR_MS))).toMatchObject({ isArchived: false, isSnoozed: true });
  });

  it.each([
    ['in the past', () => inMs(-1)],
    ['now', () => inMs(0)],
    ['too far away', () => inMs(49 * HOUR_MS)],
  ])('should not be snoozed until a time %s', async (_case, until) => {
    const [id = ''] = await inbox.deliver({});
    const call = client.patch(`notifications/${id}/snooze`, { snoozeUntil: until().toISOString() });
    expect(await codeOf(call, 400)).toBe('snooze_refused');
    expect(await client.ids()).toEqual([id]);
  });

  it.each([[{}], [{ snoozeUntil: 'tomorrow' }], [{ snoozeUntil: 5 }]])('should refuse %j', async (body) => {
    const [id = ''] = await inbox.deliver({});
    expect((await faultsOf(client.patch(`notifications/${id}/snooze`, body))).join()).toContain('snoozeUntil');
  });
});

describe('workers that wake notifications up', () => {
  it('should share them, each waking another part', async () => {
    const ids = await inbox.deliver(...Array.from({ length: 30 }, () => ({})));
    for (const id of ids) await snooze(id, inMs(MINUTE_MS));
    clock.advance(MINUTE_MS);
    await Promise.all(workers().map((worker) => worker.drain()));
    expect(woken().sort()).toEqual([...ids].sort());
  });

  it.each([
    ['was brought back', (id: string) => client.change(id, 'unsnooze')],
    ['was snoozed again', (id: string) => snooze(id, inMs(HOUR_MS))],
    ['was deleted', (id: string) => client.delete(`notifications/${id}/delete`).expect(204)],
  ])('should leave a claimed one alone that %s', async (_case, change) => {
    const [id = '', other = ''] = await inbox.deliver({}, {});
    await snooze(id, inMs(MINUTE_MS));
    await snooze(other, inMs(MINUTE_MS));
    clock.advance(MINUTE_MS);
    const rows = await workers()[0].claim();
    expect(rows).toHaveLength(2);
    expect(await workers()[1].claim()).toEqual([]);
    await change(id);
    await workers()[0].carryOut(rows);
    expect(woken()).toEqual([other]);
    await workers()[1].drain(inMs(LEASE_MS));
    expect(woken()).toEqual([other]);
  });

  it('should take over from one that died', async () => {
    const [id = ''] = await inbox.deliver({});
    await snooze(id, inMs(MINUTE_MS));
    clock.advance(MINUTE_MS);
    const lost = await workers()[0].claim();
    await workers()[1].drain(inMs(LEASE_MS - 1));
    expect(woken()).toEqual([]);
    await workers()[1].drain(inMs(1));
    expect(woken()).toEqual([id]);
    await client.change(id, 'read');
    await workers()[0].carryOut(lost); // it was only suspended
    expect(woken()).toEqual([id]);
    expect(await client.ids('read=true')).toEqual([id]);
  });

  it.each([1, 2, 3, 4])(
    'should wake each one exactly once per snooze, whatever happens in between (%d)',
    async (seed) => {
      const random = randomFrom(seed);
      const ids = await inbox.deliver(...Array.from({ length: 6 }, () => ({})));
      const until = new Map<string, Date | undefined>(ids.map((id) => [id, undefined]));
      const claims: { worker: SnoozeWorker; rows: Message[] }[] = [];
      const check = (): void => {
        for (const id of woken()) {
          const time = until.get(id);
          if (time === undefined || time > clock.now()) throw new Error(`Seed ${seed}: ${id} was not due.`);
          until.set(id, undefined);
        }
        announced.length = 0;
      };
      for (let turn = 0; turn < 60; turn++) {
        const id = ids[random(ids.length)] ?? '';
        const worker = workers()[random(2)] ?? workers()[0];
        const what = random(7);
        if (what <= 1) {
          const time = inMs((1 + random(3)) * LEASE_MS);
          if ((await client.patch(`notifications/${id}/snooze`, { snoozeUntil: time.toISOString() })).status === 200)
            until.set(id, time);
        } else if (what === 2) {
          await client.patch(`notifications/${id}/unsnooze`);
          until.set(id, undefined);
        } else if (what === 3) claims.push({ worker, rows: await worker.claim() });
        else if (what === 4) {
          // Late, twice or never: claims stay in the list.
          const claim = claims[random(claims.length + 1)];
          if (claim) await claim.worker.carryOut(claim.rows);
        } else if (what === 5) clock.advance(random(2 * LEASE_MS));
        else if (random(8) === 0) {
          await client.delete(`notifications/${id}/delete`);
          until.set(id, undefined);
        }
        check();
      }
      await workers()[0].drain(inMs(HOUR_MS));
      check();
      expect([...until.values()].filter((time) => time !== undefined)).toEqual([]);
      expect(await client.ids('snoozed=true')).toEqual([]);
    },
  );
});

/** Numbers below a limit that only the seed decides. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761;
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1) >>> 0;
    return (state >>> 8) % limit;
  };
}

import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { createSchedule, schedulePath } from '../factories/schedule.factory.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();
const DAY_MS = 86_400_000;

describe('/v1/schedules', () => {
  let session: TestSession;
  beforeEach(async () => {
    session = await api.session();
  });

  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/schedules',
    create: createSchedule,
    itemPath: schedulePath,
    list: { shape: 'page' },
    remove: { path: schedulePath, status: 204 },
    writes: [{ method: 'patch', path: schedulePath, body: { name: 'Changed' } }],
    unknownPath: `/v1/schedules/${UNKNOWN_ID}`,
  });

  it('should answer with what was sent and the next occurrence', async () => {
    const rule = { frequency: 'weekly', interval: 2, days: ['monday'], hour: 9, minute: 30 };
    const sent = { rule, timezone: 'Europe/Berlin', startAt: '2099-01-01T00:00:00.000Z', payload: { n: 1 } };
    expect(await createSchedule(session, { ...sent, name: 'Report', missed: 'skip' })).toMatchObject({
      ...sent,
      name: 'Report',
      subscribers: ['ada'],
      topics: [],
      missed: 'skip',
      status: 'active',
      next: { at: '2099-01-12T08:30:00.000Z' },
    });
  });

  it('should list every fault at once', async () => {
    const body = {
      workflow: 5,
      subscribers: [''],
      rule: { frequency: 'yearly' },
      timezone: 'Mars',
      startAt: 'soon',
      missed: 'never',
    };
    expect((await faultsOf(session.post('/v1/schedules', body))).map((fault) => fault.split(' ')[0])).toEqual(
      expect.arrayContaining(['workflow', 'subscribers.0', 'rule.frequency', 'timezone', 'startAt', 'missed']),
    );
  });

  it('should refuse what is not there, and what never occurs', async () => {
    const body = { workflow: 'unknown', topics: ['nobody'], rule: { cron: '0 9 * * *' } };
    expect(await faultsOf(session.post('/v1/schedules', body))).toEqual([
      'workflow must be the trigger identifier of a workflow of this environment',
      'topics.0 must be the key of a topic; create it with POST /v1/topics',
    ]);
    const { workflow } = await createSchedule(session);
    const past = { workflow, subscribers: ['ada'], startAt: '2020-01-01T09:00:00Z' };
    expect(await codeOf(session.post('/v1/schedules', past), 400)).toBe('schedule_never_occurs');
    const hourly = { workflow, subscribers: ['ada'], timezone: 'subscriber', rule: { frequency: 'hourly' } };
    expect(await faultsOf(session.post('/v1/schedules', hourly))).toEqual([
      "timezone must not be 'subscriber' with a rule for every hour: name a time zone",
    ]);
    const backwards = { ...past, startAt: '2099-01-02T00:00:00Z', endAt: '2099-01-01T00:00:00Z' };
    expect(await faultsOf(session.post('/v1/schedules', backwards))).toEqual(['endAt must not be before startAt']);
  });

  it('should preview the next ten occurrences of a rule and of a schedule', async () => {
    const body = { rule: { cron: '0 9 1 * *' }, timezone: 'subscriber', startAt: '2099-01-01T00:00:00Z' };
    const shown = await dataOf<Json[]>(session.post('/v1/schedules/preview', body), 200);
    expect(shown).toHaveLength(10);
    expect(shown[0]).toEqual({ at: '2099-01-31T19:00:00.000Z', localTime: '2099-02-01T09:00:00' });
    const made = await createSchedule(session, {
      rule: { frequency: 'daily' },
      endAt: new Date(Date.now() + 3 * DAY_MS),
    });
    expect(await dataOf<Json[]>(session.get(`${schedulePath(made)}/occurrences`), 200)).toHaveLength(3);
  });

  it('should list those of a subscriber, a topic, a workflow and a status', async () => {
    const first = await createSchedule(session, { subscribers: ['ada', 'bob'] });
    const second = await createSchedule(session, { subscribers: ['bob'] });
    await session.post(`${schedulePath(second)}/pause`).expect(200);
    const idsOf = async (query: string): Promise<unknown[]> =>
      (await dataOf<Json[]>(session.get(`/v1/schedules?${query}`), 200)).map(({ _id }) => _id);
    expect(await idsOf('subscriberId=ada')).toEqual([first['_id']]);
    expect(await idsOf('subscriberId=bob')).toEqual([second['_id'], first['_id']]);
    expect(await idsOf(`workflow=${String(second['workflow'])}`)).toEqual([second['_id']]);
    expect(await idsOf('status=paused')).toEqual([second['_id']]);
    await session.post('/v1/topics', { key: 'walkers', name: 'Walkers' });
    const third = await createSchedule(session, { subscribers: ['bob'], topics: ['walkers'] });
    expect(await idsOf('topic=walkers')).toEqual([third['_id']]);
    expect(await idsOf('topic=walkers&subscriberId=bob')).toEqual([third['_id']]);
    expect(await idsOf('topic=walkers&subscriberId=ada')).toEqual([]);
    expect(await idsOf('topic=nobody')).toEqual([]);
  });

  it('should pause, resume and change, and say at once what is next', async () => {
    const made = await createSchedule(session, { startAt: '2099-01-01T00:00:00Z' });
    const paused = await dataOf(session.post(`${schedulePath(made)}/pause`), 200);
    expect(paused).toMatchObject({ status: 'paused' });
    expect(paused).not.toHaveProperty('next');
    expect(await dataOf(session.post(`${schedulePath(made)}/resume`), 200)).toMatchObject({
      status: 'active',
      next: { at: '2099-01-01T09:00:00.000Z' },
    });
    const changed = await dataOf(session.patch(schedulePath(made), { timezone: 'Asia/Tokyo', name: 'Early' }), 200);
    expect(changed).toMatchObject({ name: 'Early', next: { at: '2099-01-01T00:00:00.000Z' }, rule: made['rule'] });
    expect(await codeOf(session.patch(schedulePath(made), { rule: null, startAt: '2020-01-01' }), 400)).toBe(
      'schedule_never_occurs',
    );
  });

  it('should run now', async () => {
    const made = await createSchedule(session);
    expect(await dataOf(session.post(`${schedulePath(made)}/run`), 201)).toMatchObject({ status: 'processed' });
  });

  it('should show what it would do now, and do nothing', async () => {
    const made = await createSchedule(session, { payload: { n: 1 } });
    const shown = await dataOf(session.post(`${schedulePath(made)}/dry-run`), 200);
    expect(shown).toMatchObject({ recipients: [{ subscriberId: 'ada' }] });
    expect(await dataOf<Json[]>(session.get('/v1/notifications'), 200)).toEqual([]);
  });

  it('should read times without a zone in that of the schedule', async () => {
    const sent = { rule: null, startAt: '2099-07-01T09:00:00' };
    const made = await createSchedule(session, { ...sent, timezone: 'America/New_York' });
    expect(made).toMatchObject({ startAt: '2099-07-01T13:00:00.000Z', next: { at: '2099-07-01T13:00:00.000Z' } });
    const each = await createSchedule(session, { ...sent, timezone: 'subscriber' });
    expect(each['next']).toMatchObject({ localTime: '2099-07-01T09:00:00' });
    const { workflow } = made;
    const body = { workflow, subscribers: ['ada'], timezone: 'subscriber', startAt: '2099-07-01T09:00:00Z' };
    expect((await faultsOf(session.post('/v1/schedules', body))).join()).toContain(
      'startAt must be a time without a zone',
    );
    for (const startAt of ['2099-W05-1', '2099-200', '2099-02-31'])
      expect((await faultsOf(session.post('/v1/schedules', { ...body, startAt }))).join()).toContain('startAt must be');
  });

  it('should need the scope trigger', async () => {
    const made = await createSchedule(session);
    const issued = await dataOf(
      session.post('/v1/environments/api-keys', { name: 'w', scopes: ['read', 'write'] }),
      201,
    );
    const as = { Authorization: `ApiKey ${String(issued['key'])}` };
    const body = { workflow: made['workflow'], subscribers: ['ada'], rule: { frequency: 'daily' } };
    await session.post('/v1/schedules', body).set(as).expect(403);
    await session.patch(schedulePath(made), { name: 'x' }).set(as).expect(403);
    for (const verb of ['run', 'resume', 'dry-run'])
      await session
        .post(`${schedulePath(made)}/${verb}`)
        .set(as)
        .expect(403);
    await session
      .post(`${schedulePath(made)}/pause`)
      .set(as)
      .expect(200);
  });
});

import { codeOf, dataOf, faultsOf, type Json, pageOf } from '../support/answers.js';
import { createWorkflow } from '../support/delivery.js';
import { useHerald, useSession } from '../support/herald.js';
import { joined } from '../support/signed-in-browser.js';

const api = useHerald();
const session = useSession(api);
const ALERTS = '/v1/alerts';

interface Workflow {
  readonly _id: string;
  readonly active: boolean;
  readonly steps: readonly { readonly template: { readonly type: string } }[];
}

const switchOn = (body: Json = {}): Promise<Json> => dataOf(session.patch(ALERTS, { isOn: true, ...body }), 200);
const workflow = (identifier: string): Promise<Workflow> =>
  dataOf<Workflow>(session.get(`/v1/workflows/${identifier}`), 200);
const typesOf = ({ steps }: Workflow): string[] => steps.map(({ template }) => template.type);

describe('/v1/alerts', () => {
  it('should be off, with settings that make sense', async () => {
    expect(await dataOf(session.get(ALERTS), 200)).toEqual({
      isOn: false,
      kinds: ['provider', 'failures', 'dead_letters', 'late_work', 'daily_report'],
      topic: 'herald-alerts',
      failurePercent: 20,
      lateMinutes: 5,
      reportAt: '08:00',
      timezone: 'UTC',
      recipients: 0,
      workflows: [{ identifier: 'herald-alert' }, { identifier: 'herald-daily-report' }],
      incidents: [],
    });
  });

  it('should make two ordinary workflows and the topic, with one call', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    const shown = await switchOn({ subscribers: ['ada'] });
    const [alert, report] = [await workflow('herald-alert'), await workflow('herald-daily-report')];
    expect(shown).toMatchObject({
      isOn: true,
      recipients: 1,
      workflows: [
        { identifier: 'herald-alert', _id: alert._id },
        { identifier: 'herald-daily-report', _id: report._id },
      ],
      nextReportAt: expect.stringContaining('T08:00:00.000Z') as unknown,
    });
    expect([alert.active, report.active]).toEqual([true, true]);
    expect(typesOf(alert)).toEqual(['throttle', 'in_app']);
    expect(await dataOf(session.get('/v1/topics/herald-alerts'), 200)).toMatchObject({ subscribers: ['ada'] });
  });

  it('should use the channels that the environment has, mails last', async () => {
    for (const [providerId, channel] of [
      ['catcher-email', 'email'],
      ['catcher-sms', 'sms'],
    ])
      await session.post('/v1/integrations', { providerId, channel, active: true, credentials: {} }).expect(201);
    await switchOn();
    expect(typesOf(await workflow('herald-alert'))).toEqual(['throttle', 'in_app', 'sms', 'email']);
    expect(typesOf(await workflow('herald-daily-report'))).toEqual(['in_app', 'sms', 'email']);
  });

  it('should change nothing in workflows that are there', async () => {
    await switchOn();
    const { _id } = await workflow('herald-alert');
    await session.put(`/v1/workflows/${_id}`, { steps: [{ template: { type: 'in_app', content: '!' } }] }).expect(200);
    await session.patch(ALERTS, { isOn: false }).expect(200);
    await switchOn();
    expect(typesOf(await workflow('herald-alert'))).toEqual(['in_app']);
  });

  it('should make each workflow once where two people switch on at once', async () => {
    await Promise.all([switchOn(), switchOn(), switchOn()]);
    const { data } = (await session.get('/v1/workflows?limit=10').expect(200)).body as { data: Json[] };
    expect(data).toHaveLength(2);
  });

  it('should keep what is absent, and take null as the default', async () => {
    await switchOn({ topic: 'on-call', failurePercent: 50, kinds: ['provider'] });
    const kept = await dataOf(session.patch(ALERTS, { lateMinutes: 30 }), 200);
    expect(kept).toMatchObject({ topic: 'on-call', failurePercent: 50, lateMinutes: 30, kinds: ['provider'] });
    expect(kept).not.toHaveProperty('nextReportAt');
    const reset = { topic: null, failurePercent: null, kinds: null, reportAt: '23:59', timezone: 'Asia/Tokyo' };
    expect(await dataOf(session.patch(ALERTS, reset), 200)).toMatchObject({
      isOn: true,
      topic: 'herald-alerts',
      failurePercent: 20,
      lateMinutes: 30,
      nextReportAt: expect.stringContaining('T14:59:00.000Z') as unknown,
    });
  });

  it('should name every fault, and change nothing then', async () => {
    const body = { isOn: 'yes', kinds: ['weather'], failurePercent: 0, lateMinutes: 1.5, reportAt: '8', timezone: 'X' };
    const faults = await faultsOf(session.patch(ALERTS, body));
    for (const field of Object.keys(body)) expect(faults.join()).toContain(field);
    expect(await faultsOf(session.patch(ALERTS, { isOn: true, subscribers: ['ada', 'nobody'] }))).toEqual([
      'subscribers.0 must be the id of a subscriber; create it with POST /v1/subscribers',
      'subscribers.1 must be the id of a subscriber; create it with POST /v1/subscribers',
    ]);
    expect(await dataOf(session.get(ALERTS), 200)).toMatchObject({ isOn: false });
    await session.get('/v1/workflows/herald-alert').expect(404);
  });

  it('should be for owners, and be in the audit log', async () => {
    for (const role of ['viewer', 'editor'] as const)
      expect(await codeOf((await joined(session, role)).patch(ALERTS, { isOn: true }), 403)).toBe('scope_missing');
    const owner = await joined(session, 'owner');
    await owner.patch(ALERTS, { isOn: true }).expect(200);
    await owner.patch(ALERTS, { lateMinutes: 7 }).expect(200);
    const { entries } = await dataOf<{ entries: Json[] }>(session.get('/v1/audit-log?action=updateAlerts'), 200);
    expect(entries.map(({ changes }) => changes)).toEqual([
      [{ path: 'lateMinutes', before: 5, after: 7 }],
      [{ path: 'isOn', before: false, after: true }],
    ]);
  });

  it('should leave identifiers of its workflows to owners', async () => {
    const editor = await joined(session, 'editor');
    const base = { identifier: 'herald-alert', name: 'Herald alert', notificationGroup: 'General', steps: [] };
    const { _id } = await createWorkflow(session, []);
    const [{ _id: notificationGroupId }] = await dataOf<[Json]>(session.get('/v1/notification-groups'), 200);
    for (const change of [
      editor.post('/v1/workflows', { name: 'Herald alert', notificationGroupId, steps: [] }),
      editor.put('/v1/definitions/workflows/herald-alert', base),
      editor.put(`/v1/workflows/${_id}`, { identifier: 'herald-alert' }),
    ])
      expect(await codeOf(change, 403)).toBe('workflow_protected');
    expect((await pageOf<Json>(session.get('/v1/workflows'))).data.map((one) => one['_id'])).toEqual([_id]);
  });

  it('should leave its workflows to owners', async () => {
    await switchOn();
    const { _id, steps } = await workflow('herald-alert');
    const path = `/v1/workflows/${_id}`;
    const editor = await joined(session, 'editor');
    const base = { identifier: 'herald-alert', name: 'Mine', notificationGroup: 'General' };
    for (const change of [
      editor.put(path, { steps }),
      editor.put(`${path}/status`, { active: false }),
      editor.put('/v1/definitions/workflows/herald-alert', { ...base, steps: [] }),
      editor.delete(path),
    ])
      expect(await codeOf(change, 403)).toBe('workflow_protected');
    expect(await workflow('herald-alert')).toMatchObject({ _id, active: true });
    await (await joined(session, 'owner')).put(`${path}/status`, { active: false }).expect(200);
    expect(await workflow('herald-alert')).toMatchObject({ active: false });
  });

  it('should not make workflows in a read-only environment', async () => {
    await session.patch('/v1/environments/me', { isReadOnly: true }).expect(200);
    expect(await codeOf(session.patch(ALERTS, { isOn: true }), 403)).toBe('environment_read_only');
    await session.patch('/v1/environments/me', { isReadOnly: false }).expect(200);
    await switchOn();
    await session.patch('/v1/environments/me', { isReadOnly: true }).expect(200);
    await session.patch(ALERTS, { isOn: false }).expect(200);
    await switchOn();
  });
});

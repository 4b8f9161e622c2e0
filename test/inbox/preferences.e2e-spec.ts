import { createActiveWorkflow } from '../factories/workflow.factory.js';
import { clientWith } from '../support/browser-session.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';
import { type InboxClient, openInbox } from '../support/inbox-client.js';

const api = useHerald();
const session = useSession(api);
let client: InboxClient;
let workflow: Json & { _id: string };
beforeEach(async () => {
  const steps = [
    { name: 'Show', template: { type: 'in_app', content: 'Hello' } },
    { name: 'Write', template: { type: 'sms', content: 'Hello' } },
  ];
  ({ client, workflow } = await openInbox(api, session, { workflow: { steps, severity: 'low' } }));
});

const ALL_ON = { email: true, sms: true, in_app: true, chat: true, push: true };
const GLOBAL = { level: 'global', enabled: true, channels: ALL_ON, schedule: { isEnabled: false } };
const identifierIn = ({ triggers }: Json): string => (triggers as [{ identifier: string }])[0].identifier;
const list = (query = ''): Promise<Json[]> => dataOf<Json[]>(client.get('preferences', query), 200);
const idsOf = (preferences: Json[]): unknown[] =>
  preferences.map((preference) => (preference['workflow'] as Json | undefined)?.['id']);

describe('GET /v1/inbox/preferences', () => {
  it('should be the global preference, then that of each workflow', async () => {
    expect(await list()).toEqual([
      GLOBAL,
      {
        level: 'template',
        enabled: true,
        channels: { in_app: true, sms: true },
        workflow: {
          id: workflow._id,
          identifier: identifierIn(workflow),
          name: workflow['name'],
          critical: false,
          tags: ['orders'],
          severity: 'low',
        },
      },
    ]);
    expect(await dataOf(client.get('preferences/global'), 200)).toEqual(GLOBAL);
  });

  it('should be of workflows by criticality, tags and severity', async () => {
    const critical = await createActiveWorkflow(session, { critical: true, tags: ['alarms'] });
    const cases: [string, unknown[]][] = [
      ['', [workflow._id]],
      ['criticality=critical', [critical._id]],
      ['criticality=all', [workflow._id, critical._id]],
      ['criticality=all&tags[]=alarms', [critical._id]],
      ['severity=low', [workflow._id]],
      ['severity[]=high', []],
    ];
    for (const [query, ids] of cases) expect([query, idsOf(await list(query))]).toEqual([query, [undefined, ...ids]]);
    expect((await faultsOf(client.get('preferences', 'criticality=some'))).join()).toContain('criticality');
  });
});

describe('PATCH /v1/inbox/preferences', () => {
  it('should switch channels of all workflows', async () => {
    const changed = await dataOf(client.patch('preferences', { sms: false, chat: false }), 200);
    expect(changed).toEqual({ ...GLOBAL, channels: { ...ALL_ON, sms: false, chat: false } });
    expect(await dataOf(client.patch('preferences', { chat: true }), 200)).toMatchObject({
      channels: { ...ALL_ON, sms: false },
    });
    expect(await dataOf(client.patch('preferences'), 200)).toMatchObject({ channels: { ...ALL_ON, sms: false } });
  });

  it('should store a schedule', async () => {
    const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
    const schedule = { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours } } };
    expect(await dataOf(client.patch('preferences', { schedule }), 200)).toEqual({ ...GLOBAL, schedule });
    expect(await dataOf(client.get('preferences/global'), 200)).toMatchObject({ schedule });
  });

  it.each([
    [{ sms: 'no' }, 'sms'],
    [{ schedule: {} }, 'schedule.isEnabled'],
    [{ schedule: { isEnabled: true, weeklySchedule: { monday: {} } } }, 'schedule.weeklySchedule.monday.isEnabled'],
    [
      {
        schedule: {
          isEnabled: true,
          weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '25:00', end: '1' }] } },
        },
      },
      'schedule.weeklySchedule.monday.hours.0.start',
    ],
  ])('should refuse %j', async (body, field) => {
    expect((await faultsOf(client.patch('preferences', body))).join('\n')).toContain(field);
  });

  it('should switch channels of a workflow, by id or identifier', async () => {
    const changed = await dataOf(client.patch(`preferences/${workflow._id}`, { sms: false, in_app: false }), 200);
    expect(changed).toMatchObject({ level: 'template', channels: { sms: false, in_app: false } });
    expect(changed).toMatchObject({ workflow: { id: workflow._id } });
    const again = await dataOf(client.patch(`preferences/${identifierIn(workflow)}`, { in_app: true }), 200);
    expect(again).toMatchObject({ channels: { sms: false, in_app: true } });
    expect(await codeOf(client.patch('preferences/unknown', { sms: true }), 404)).toBe('workflow_not_found');
  });

  it('should not switch channels of a critical workflow, nor others with it', async () => {
    const critical = await createActiveWorkflow(session, { critical: true });
    const one = client.patch(`preferences/${critical._id}`, { in_app: false });
    expect(await codeOf(one, 400)).toBe('workflow_is_critical');
    const preferences = [workflow._id, critical._id].map((workflowId) => ({ workflowId, in_app: false }));
    expect(await codeOf(client.patch('preferences/bulk', { preferences }), 400)).toBe('workflow_is_critical');
    const browser = clientWith(api, client.token);
    const call = browser.patch(`/v1/widgets/preferences/${critical._id}`, {
      channel: { type: 'in_app', enabled: false },
    });
    expect(await codeOf(call, 400)).toBe('workflow_is_critical');
    expect(await list('criticality=all')).toMatchObject([
      {},
      { channels: { in_app: true } },
      { channels: { in_app: true } },
    ]);
  });

  it('should switch channels of several workflows, or of none', async () => {
    const other = await createActiveWorkflow(session);
    const change = (second: string) => ({
      preferences: [
        { workflowId: workflow._id, sms: false },
        { workflowId: second, in_app: false },
      ],
    });
    expect(await codeOf(client.patch('preferences/bulk', change('unknown')), 404)).toBe('workflow_not_found');
    expect((await list())[1]).toMatchObject({ channels: { sms: true } });
    const changed = await dataOf<Json[]>(client.patch('preferences/bulk', change(other._id)), 200);
    expect(changed).toMatchObject([{ channels: { sms: false } }, { channels: { in_app: false } }]);
  });
});

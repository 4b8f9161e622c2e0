import { createActiveWorkflow } from '../factories/workflow.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { clientWith } from '../support/browser-session.js';
import { useHerald, useSession } from '../support/herald.js';
import { type InboxClient, openInbox } from '../support/inbox-client.js';

const api = useHerald();
const session = useSession(api);
let inbox: InboxClient;
let subscriberId: string;
/** In the group General, which is the first. */
let plain: Json & { _id: string };
beforeEach(async () => {
  const opened = await openInbox(api, session);
  ({ client: inbox, workflow: plain } = opened);
  ({ subscriberId } = opened.subscriber);
});

interface Listed {
  readonly name: unknown;
  readonly group: unknown;
}

const listed = (rows: Json[], name: (row: Json) => unknown): Listed[] =>
  rows.map((row) => ({ name: name(row), group: (row['notificationGroup'] as Json | undefined)?.['name'] }));
const nameIn =
  (field: string) =>
  (row: Json): unknown =>
    (row[field] as Json)['name'];

/** By every way in which preferences are listed. */
async function everywhere(): Promise<Listed[][]> {
  const v1 = await dataOf<Json[]>(session.get(`/v1/subscribers/${subscriberId}/preferences`), 200);
  const v2 = await dataOf<{ workflows: Json[] }>(session.get(`/v2/subscribers/${subscriberId}/preferences`), 200);
  const [, ...own] = await dataOf<Json[]>(inbox.get('preferences'), 200);
  const widget = await dataOf<Json[]>(clientWith(api, inbox.token).get('/v1/widgets/preferences'), 200);
  return [
    listed(v1, nameIn('template')),
    listed(v2.workflows, nameIn('workflow')),
    listed(own, nameIn('workflow')),
    listed(widget, nameIn('template')),
  ];
}

const group = async (name: string, more: Json = {}): Promise<string> =>
  String((await dataOf(session.post('/v1/notification-groups', { name, ...more }), 201))['_id']);

describe('groups of preferences', () => {
  it('should come in their order, then by name, then workflows without one, each oldest first', async () => {
    const late = await group('Late', { description: 'Without an order' });
    const early = await group('Early', { description: 'Without an order' });
    const first = await group('First', { order: 0 });
    const second = await group('Second', { order: 7 });
    const unseen = await group('Unseen', { description: '' });
    for (const [name, notificationGroupId] of [
      ['a', late],
      ['b', unseen],
      ['c', second],
      ['d', first],
      ['e', early],
      ['f', second],
    ] as const) {
      await createActiveWorkflow(session, { name, notificationGroupId });
    }
    const expected = [
      { name: 'd', group: 'First' },
      { name: 'c', group: 'Second' },
      { name: 'f', group: 'Second' },
      { name: 'e', group: 'Early' },
      { name: 'a', group: 'Late' },
      { name: plain['name'], group: undefined },
      { name: 'b', group: undefined },
    ];
    for (const rows of await everywhere()) expect(rows).toEqual(expected);
  });

  it('should say what recipients see of a group, also when a preference is changed', async () => {
    const notificationGroupId = await group('Billing', { description: 'Invoices', order: 3 });
    const { _id } = await createActiveWorkflow(session, { notificationGroupId });
    const seen = { _id: notificationGroupId, name: 'Billing', description: 'Invoices', order: 3 };
    const [first] = await dataOf<Json[]>(session.get(`/v1/subscribers/${subscriberId}/preferences`), 200);
    expect(first?.['notificationGroup']).toEqual(seen);
    const changed = await dataOf(inbox.patch(`preferences/${_id}`, { in_app: false }), 200);
    expect(changed['notificationGroup']).toEqual(seen);
  });
});

describe('a hidden workflow', () => {
  it('should be listed nowhere, and follow what is stored', async () => {
    const { _id } = await createActiveWorkflow(session, { name: 'secret', hidden: true });
    for (const rows of await everywhere()) expect(rows).toEqual([{ name: plain['name'], group: undefined }]);
    const path = `/v1/subscribers/${subscriberId}/preferences/${_id}`;
    const off = { channel: { type: 'in_app', enabled: false } };
    expect(await dataOf(session.patch(path, off), 200)).toMatchObject({ preference: { channels: { in_app: false } } });
    await session.put(`/v1/workflows/${_id}`, { hidden: null }).expect(200);
    for (const rows of await everywhere()) expect(rows.map(({ name }) => name)).toEqual([plain['name'], 'secret']);
    const rows = await dataOf<Json[]>(session.get(`/v1/subscribers/${subscriberId}/preferences`), 200);
    expect(rows[1]).toMatchObject({ preference: { channels: { in_app: false } } });
  });
});

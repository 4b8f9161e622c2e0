import { FeedSignals, type FeedChange } from '../../src/engine/messages/live/index.js';
import { afterDelivery } from '../factories/message.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { type InboxClient, openInbox } from '../support/inbox-client.js';
import { useSession, useTestApi } from '../support/test-api.js';

const api = useTestApi();
const session = useSession(api);
let client: InboxClient;
let inbox: Awaited<ReturnType<typeof openInbox>>;
let announced: FeedChange[];
let stop: () => void;
beforeEach(async () => {
  inbox = afterDelivery(await openInbox(api, session), () => (announced = []));
  client = inbox.client;
  announced = [];
  stop = api.app.get(FeedSignals).listen((changes) => {
    announced.push(...changes.filter(({ subscriberId }) => subscriberId === inbox.subscriber._id));
  });
});
afterEach(() => stop());

const READ = { isRead: true, isSeen: true, isArchived: false, isSnoozed: false };

describe('one notification', () => {
  it('should become read and unread', async () => {
    const [id = ''] = await inbox.deliver({});
    const read = await client.change(id, 'read');
    expect(read).toMatchObject({ id, ...READ, readAt: expect.any(String) as string, firstSeenAt: read['readAt'] });
    const unread = await client.change(id, 'unread');
    expect(unread).toMatchObject({ ...READ, isRead: false });
    expect(unread).not.toHaveProperty('readAt');
    expect(announced).toHaveLength(2);
    expect(announced[0]).toMatchObject({ environmentId: session.environmentId, unread: true, unseen: true });
    await client.change(id, 'unread');
    expect(announced).toHaveLength(2); // nothing changed
  });

  it('should be archived and come back', async () => {
    const [id = ''] = await inbox.deliver({});
    const archived = await client.change(id, 'archive');
    expect(archived).toMatchObject({ ...READ, isArchived: true, archivedAt: expect.any(String) as string });
    const back = await client.change(id, 'unarchive');
    expect(back).toMatchObject(READ);
    expect(back).not.toHaveProperty('archivedAt');
    await client.change(id, 'archive');
    expect(await client.change(id, 'unread')).toMatchObject({ ...READ, isRead: false });
    expect(announced).toHaveLength(4);
  });

  it('should record the use of a button and take it back, and be read', async () => {
    const buttons = [{ type: 'primary' as const, content: 'Yes' }];
    const [id = ''] = await inbox.deliver({ cta: { type: 'redirect', action: { buttons } } });
    const used = await client.change(id, 'complete', { actionType: 'primary' });
    expect(used).toMatchObject({ isRead: true, primaryAction: { label: 'Yes', isCompleted: true } });
    const reverted = await client.change(id, 'revert', { actionType: 'primary' });
    expect(reverted).toMatchObject({ isRead: true, primaryAction: { isCompleted: false } });
    const fault = await faultsOf(client.patch(`notifications/${id}/complete`, { actionType: 'third' }));
    expect(fault.join()).toContain('actionType');
  });

  it('should refuse the use of a button that it does not have, and stay as it is', async () => {
    const buttons = [{ type: 'primary' as const, content: 'Yes' }];
    const [id = '', without = ''] = await inbox.deliver({ cta: { type: 'redirect', action: { buttons } } }, {});
    for (const change of ['complete', 'revert']) {
      const call = client.patch(`notifications/${id}/${change}`, { actionType: 'secondary' });
      expect(await codeOf(call, 400)).toBe('button_not_found');
      expect(await codeOf(client.patch(`notifications/${without}/${change}`, { actionType: 'primary' }), 400)).toBe(
        'button_not_found',
      );
    }
    for (const one of await dataOf<{ isRead: boolean }[]>(client.get('notifications'), 200)) {
      expect(one).toMatchObject({ isRead: false });
    }
  });

  it('should be deleted', async () => {
    const [id = '', other] = await inbox.deliver({}, {});
    await client.delete(`notifications/${id}/delete`).expect(204);
    expect(await client.ids()).toEqual([other]);
    expect(announced).toMatchObject([{ unread: true, unseen: true }]);
    expect(await codeOf(client.delete(`notifications/${id}/delete`), 404)).toBe('message_not_found');
    expect(await codeOf(client.patch(`notifications/${id}/read`), 404)).toBe('message_not_found');
  });

  it('should not be changed otherwise', async () => {
    const [id = '', email = ''] = await inbox.deliver({}, { channel: 'email' });
    expect((await faultsOf(client.patch(`notifications/${id}/burn`))).join()).toContain('change');
    expect(await codeOf(client.patch(`notifications/x/read`), 400)).toBe('validation_failed');
    expect(await codeOf(client.patch(`notifications/${email}/read`), 404)).toBe('message_not_found');
    expect(await client.ids()).toEqual([id]);
  });
});

describe('several notifications', () => {
  it('should become seen by their ids, or by tags', async () => {
    const [a = '', b = '', c = ''] = await inbox.deliver({}, { tags: ['x'] }, {});
    await client.post('notifications/seen', { notificationIds: [a, a] }).expect(204);
    expect(await client.ids('seen=true')).toEqual([a]);
    await client.post('notifications/seen', { notificationIds: [a] }).expect(204);
    expect(announced).toHaveLength(1);
    await client.post('notifications/seen', { tags: ['x'] }).expect(204);
    expect(await client.ids('seen=false')).toEqual([c]);
    await client.post('notifications/seen', {}).expect(204);
    expect(await client.ids('seen=true')).toEqual([c, b, a]);
    const faults = await faultsOf(client.post('notifications/seen', { notificationIds: ['x'] }));
    expect(faults.join()).toContain('notificationIds');
  });

  it('should be changed all, or those with tags or data', async () => {
    const [a, b, c] = await inbox.deliver({ tags: ['x'] }, { data: { plan: 'pro' } }, {});
    await client.post('notifications/read', { tags: ['x'] }).expect(204);
    expect(await client.ids('read=true')).toEqual([a]);
    await client.post('notifications/read', { data: '{"plan":"pro"}' }).expect(204);
    expect(await client.ids('read=true')).toEqual([b, a]);
    await client.post('notifications/read-archive', { tags: [] }).expect(204);
    expect(await client.ids('archived=true')).toEqual([b, a]);
    await client.post('notifications/archive', { tags: [] }).expect(204);
    expect(await client.ids('archived=true')).toEqual([c, b, a]);
    await client.post('notifications/delete', { tags: ['x'] }).expect(204);
    expect(await client.ids()).toEqual([c, b]);
    await client.post('notifications/delete').expect(204);
    expect(await client.ids()).toEqual([]);
    expect(announced).toHaveLength(6);
    await client.post('notifications/delete').expect(204);
    expect(announced).toHaveLength(6);
  });

  it('should not reach snoozed ones, which are hidden, except to delete them', async () => {
    const [id = ''] = await inbox.deliver({});
    await client.change(id, 'snooze', { snoozeUntil: new Date(Date.now() + 60_000).toISOString() });
    for (const route of ['read', 'archive', 'seen']) await client.post(`notifications/${route}`).expect(204);
    const [snoozed] = await dataOf<Json[]>(client.get('notifications', 'snoozed=true'), 200);
    expect(snoozed).toMatchObject({ isRead: false, isSeen: false, isArchived: false });
    await client.post('notifications/delete').expect(204);
    expect(await client.ids('snoozed=true')).toEqual([]);
  });
});

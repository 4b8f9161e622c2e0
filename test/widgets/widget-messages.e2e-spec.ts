import { Types } from 'mongoose';
import type { TestSession } from '../harness/index.js';
import { type FeedChange, FeedSignals } from '../../src/engine/messages/live/index.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { afterDelivery, createInbox, type Inbox } from '../factories/message.factory.js';
import { codeOf, dataOf, faultsOf, type Json, pageOf } from '../support/answers.js';
import { type BrowserClient, browserOf } from '../support/browser-session.js';
import { useTestApi } from '../support/test-api.js';

const MESSAGES = '/v1/widgets/messages';

const api = useTestApi();
let session: TestSession;
let inbox: Inbox;
let bell: BrowserClient;
beforeEach(async () => {
  session = await api.session();
  inbox = await createInbox(api, session);
  bell = await browserOf(api, session, inbox.subscriber.subscriberId);
});

const feed = async (): Promise<Json[]> => (await pageOf(bell.get('/v1/widgets/notifications/feed'))).data;
const idsOf = (rows: readonly Json[]): unknown[] => rows.map(({ _id }) => _id);
const post = <T = Json>(path: string, body?: Json, status = 201): Promise<T> =>
  dataOf<T>(bell.post(`${MESSAGES}/${path}`, body), status);
const HOSTILE = '<i>Hi</i><img src=x onerror=alert(1)>';
const CLEAN = '<i>Hi</i><img src="x" />';

describe('POST /v1/widgets/messages/markAs and mark-as', () => {
  it('should answer with the whole messages', async () => {
    const [a, b] = await inbox.deliver({ content: HOSTILE }, {});
    const whole = { _id: a, content: CLEAN, createdAt: expect.any(String) as string, overrides: {}, archived: false };
    const state = { seen: true, read: true };
    expect(await post('markAs', { messageId: a, mark: state })).toMatchObject([{ ...whole, ...state }]);
    expect(await post('mark-as', { messageId: a, markAs: 'unread' })).toMatchObject([{ ...whole, read: false }]);
    expect(await post<Json[]>('markAs', { messageId: [a, b], mark: { seen: true } })).toHaveLength(2);
  });

  it('should set exactly the given marks', async () => {
    const [id] = await inbox.deliver({});
    const set = async (mark: Json): Promise<unknown> => (await post<Json[]>('markAs', { messageId: id, mark }))[0];
    expect(await set({ seen: true, read: false })).toMatchObject({ seen: true, read: false });
    expect(await set({ read: true })).toMatchObject({ seen: true, read: true });
    expect(await set({ read: false })).toMatchObject({ seen: true, read: false });
  });

  it.each([{}, { messageId: 'x', mark: {} }, { messageId: [], mark: {} }, { messageId: UNKNOWN_ID }])(
    'should refuse %j',
    async (body) => {
      expect(await faultsOf(bell.post(`${MESSAGES}/markAs`, body))).not.toEqual([]);
    },
  );
});

describe('POST /v1/widgets/messages/read and seen', () => {
  it('should mark all messages, with an empty body too', async () => {
    await inbox.deliver({}, {}, {});
    expect(await post('seen')).toBe(3);
    expect(await post('read', {})).toBe(3);
    expect(await post('read')).toBe(0);
    expect((await feed()).every(({ read, seen }) => read === true && seen === true)).toBe(true);
  });

  it('should mark those of some feeds, named in a list or with commas', async () => {
    const ids = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => (await dataOf(session.post('/v1/feeds', { name }), 201))['_id']),
    );
    const [a, b, c] = ids.map((id) => new Types.ObjectId(String(id)));
    await inbox.deliver({ _feedId: a }, { _feedId: b }, { _feedId: c }, {});
    expect(await post('seen', { feedId: 'a,b' })).toBe(2);
    expect(await post('read', { feedId: ['a', 'c'] })).toBe(2);
    expect(await post('read', { feedId: 'unknown' })).toBe(0);
    expect(await faultsOf(bell.post(`${MESSAGES}/read`, { feedId: { $gt: '' } }))).toContain('feedId must be an array');
  });
});

describe('POST /v1/widgets/messages/:messageId/actions/:type', () => {
  it('should record the action and answer with the whole message alone', async () => {
    const buttons = [{ type: 'primary' as const, content: 'Accept' }];
    const [id] = await inbox.deliver({ content: HOSTILE, cta: { action: { status: 'pending', buttons } } });
    const act = { executedType: 'primary', status: 'done', payload: { choice: 1 } };
    const done = await post(`${id}/actions/primary`, act);
    const action = { status: 'done', buttons, result: { type: 'primary', payload: { choice: 1 } } };
    expect(done).toMatchObject({ _id: id, content: CLEAN, createdAt: expect.any(String) as string, cta: { action } });
    expect(done).not.toHaveProperty('subscriber');
    expect(done).not.toHaveProperty('template');
    expect(await post(`${id}/actions/primary`, act)).toEqual(done);
  });

  it('should refuse unknown messages and buttons', async () => {
    const [id] = await inbox.deliver({});
    const status = { status: 'done' };
    const unknown = bell.post(`${MESSAGES}/${UNKNOWN_ID}/actions/primary`, status);
    expect(await codeOf(unknown, 404)).toBe('message_not_found');
    expect(await faultsOf(bell.post(`${MESSAGES}/${id}/actions/third`, status))).not.toEqual([]);
  });
});

describe('removal', () => {
  let changes: FeedChange[];
  let stop: () => void;
  beforeEach(() => {
    inbox = afterDelivery(inbox, () => (changes = []));
    changes = [];
    stop = api.app.get(FeedSignals).listen((more) => {
      changes.push(...more.filter(({ subscriberId }) => subscriberId === inbox.subscriber._id));
    });
  });
  afterEach(() => {
    stop();
  });
  const change = (unseen: boolean, unread: boolean): Json => ({
    environmentId: session.environmentId,
    subscriberId: inbox.subscriber._id,
    unseen,
    unread,
  });

  it('should remove one message, and announce what it was', async () => {
    const [a, b] = await inbox.deliver({ content: HOSTILE }, {});
    await post('markAs', { messageId: a, mark: { seen: true } });
    changes = [];
    const removed = await dataOf(bell.delete(`${MESSAGES}/${a}`), 200);
    expect(removed).toMatchObject({ _id: a, content: CLEAN, deleted: true });
    expect(idsOf(await feed())).toEqual([b]);
    expect(changes).toEqual([change(false, true)]);
    expect(await codeOf(bell.delete(`${MESSAGES}/${a}`), 404)).toBe('message_not_found');
  });

  it('should remove several, and ignore unknown ids', async () => {
    const [a, b, c] = await inbox.deliver({}, {}, {});
    expect(await post('bulk/delete', { messageIds: [a, c, UNKNOWN_ID] }, 200)).toBe(2);
    expect(idsOf(await feed())).toEqual([b]);
    expect(changes).toEqual([change(true, true)]);
    const many = Array.from({ length: 101 }, () => UNKNOWN_ID);
    for (const messageIds of [many, [], 'x', ['x'], undefined]) {
      expect(await faultsOf(bell.post(`${MESSAGES}/bulk/delete`, { messageIds }))).not.toEqual([]);
    }
  });

  it('should remove all of a feed, which its record id names, or all', async () => {
    const feedId = String((await dataOf(session.post('/v1/feeds', { name: 'News' }), 201))['_id']);
    const [, b, sms] = await inbox.deliver({ _feedId: new Types.ObjectId(feedId) }, {}, { channel: 'sms' });
    await bell.delete(`${MESSAGES}?feedId=${feedId}`).expect(204, '');
    expect(idsOf(await feed())).toEqual([b]);
    await bell.delete(`${MESSAGES}?feedId=undefined`).expect(204);
    expect(await feed()).toEqual([]);
    const kept = (await pageOf(session.get(`/v1/messages?subscriberId=${inbox.subscriber.subscriberId}`))).data;
    expect(idsOf(kept)).toEqual([sms]);
    expect(await faultsOf(bell.delete(`${MESSAGES}?feedId=News`))).not.toEqual([]);
  });
});

import { MessageActed } from '../../src/engine/messages/records/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { recordEvents } from '../support/recorded-events.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi();
let acted: MessageActed[];
beforeAll(() => {
  acted = recordEvents(api, MessageActed);
});

const BUTTONS = [
  { type: 'primary' as const, content: 'Accept', resultContent: 'Accepted' },
  { type: 'secondary' as const, content: 'Decline' },
];
const cta = {
  type: 'redirect' as const,
  data: { url: '/x' },
  action: { status: 'pending' as const, buttons: BUTTONS },
};

async function delivered(): Promise<{
  inbox: Inbox;
  id: string;
  act: (type: string, body: object) => ReturnType<Inbox['session']['post']>;
}> {
  const inbox = await createInbox(api, await api.session());
  const [id = ''] = await inbox.deliver({ cta });
  return { inbox, id, act: (type, body) => inbox.session.post(`${inbox.path}/messages/${id}/actions/${type}`, body) };
}

describe('POST /v1/subscribers/:subscriberId/messages/:messageId/actions/:type', () => {
  it('should record the action and answer with the message, its subscriber and its workflow', async () => {
    const { inbox, id, act } = await delivered();
    const data = dataOf(await act('primary', { status: 'done', payload: { choice: { 'a.b': [1] } } }).expect(201));
    expect(data).toMatchObject({
      _id: id,
      id,
      cta: {
        type: 'redirect',
        data: { url: '/x' },
        action: {
          status: 'done',
          buttons: BUTTONS,
          result: { type: 'primary', payload: { choice: { 'a.b': [1] } } },
        },
      },
      seen: false,
      read: false,
    });
    const subscriber = await dataOf(inbox.session.get(inbox.path), 200);
    expect(data['subscriber']).toEqual(subscriber);
    const path = `/v1/workflows/${inbox.workflow._id}`;
    expect(data['template']).toEqual(dataOf(await inbox.session.get(path).expect(200)));
  });

  it('should store what it answers', async () => {
    const { inbox, act } = await delivered();
    const data = dataOf(await act('secondary', { status: 'done' }).expect(201));
    const [stored] = dataOf<Json[]>(await inbox.session.get('/v1/messages').expect(200));
    expect(stored).toMatchObject({ cta: data['cta'], updatedAt: data['updatedAt'] });
  });

  it('should be the same when it comes again, and be told once', async () => {
    const { id, act } = await delivered();
    const first = dataOf(await act('primary', { status: 'done', payload: { a: 1 } }).expect(201));
    const second = dataOf(await act('primary', { status: 'done', payload: { a: 1 } }).expect(201));
    expect(second['cta']).toEqual(first['cta']);
    const told = acted.filter(({ messageId }) => messageId === id);
    expect(told.map(({ action }) => action)).toEqual([{ type: 'primary', status: 'done', payload: { a: 1 } }]);
  });

  it('should replace the payload, and keep it where none is given', async () => {
    const { act } = await delivered();
    await act('primary', { status: 'done', payload: { a: 1 } }).expect(201);
    const kept = dataOf(await act('primary', { status: 'pending' }).expect(201));
    expect(kept).toMatchObject({ cta: { action: { status: 'pending', result: { payload: { a: 1 } } } } });
    const replaced = dataOf<{ cta: { action: Json } }>(
      await act('primary', { status: 'done', payload: { b: 2 } }).expect(201),
    );
    expect(replaced.cta.action['result']).toEqual({ type: 'primary', payload: { b: 2 } });
  });

  it('should work on a message without buttons and without workflow', async () => {
    const inbox = await createInbox(api, await api.session());
    const [id = ''] = await inbox.deliver({});
    await inbox.session.delete(`/v1/workflows/${inbox.workflow._id}`).expect(200);
    const data = dataOf(
      await inbox.session.post(`${inbox.path}/messages/${id}/actions/primary`, { status: 'done' }).expect(201),
    );
    expect(data).toMatchObject({ cta: { action: { status: 'done', buttons: [] } } });
    expect(data).toMatchObject({ template: { _id: inbox.workflow._id, deleted: true } });
  });

  it('should leave no other trace when many come at once', async () => {
    const { act } = await delivered();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => act(i % 2 ? 'primary' : 'secondary', { status: 'done', payload: { i } })),
    );
    for (const answer of answers) expect(answer.status).toBe(201);
    const { cta: last } = dataOf<{ cta: { action: { result: { type: string; payload: { i: number } } } } }>(
      await act('primary', { status: 'pending', payload: { i: 99 } }).expect(201),
    );
    expect(last.action.result).toEqual({ type: 'primary', payload: { i: 99 } });
  });

  describe('when it is refused', () => {
    it.each([
      ['another type', 'tertiary', { status: 'done' }, 'type must be one of the following values: primary, secondary'],
      ['no status', 'primary', {}, 'status is required and must be one of the following values: pending, done'],
      ['null', 'primary', { status: null }, 'status must be one of the following values: pending, done'],
      ['another status', 'primary', { status: 'gone' }, 'status must be one of the following values: pending, done'],
      ['a list as payload', 'primary', { status: 'done', payload: [1] }, 'payload must be an object'],
      [
        'an operator',
        'primary',
        { status: 'done', payload: { a: { $set: 1 } } },
        'payload.a.$set is not allowed: keys must not begin with $',
      ],
    ])('should say why: %s', async (_case, type, body, fault) => {
      const { act } = await delivered();
      expect(faultsOf(await act(type, body).expect(400))).toEqual([fault]);
    });

    it('should refuse a message id that is none', async () => {
      const { inbox } = await delivered();
      await inbox.session.post(`${inbox.path}/messages/x/actions/primary`, { status: 'done' }).expect(400);
    });

    it('should answer 404 for an unknown subscriber, an unknown message and a message of another subscriber', async () => {
      const { inbox, id, act } = await delivered();
      const other = await createInbox(api, inbox.session);
      const post = async (path: string): Promise<unknown> =>
        ((await inbox.session.post(path, { status: 'done' }).expect(404)).body as Json)['code'];
      expect(await post(`/v1/subscribers/nobody/messages/${id}/actions/primary`)).toBe('subscriber_not_found');
      expect(await post(`${inbox.path}/messages/${UNKNOWN_ID}/actions/primary`)).toBe('message_not_found');
      expect(await post(`${other.path}/messages/${id}/actions/primary`)).toBe('message_not_found');
      expect(dataOf(await act('primary', { status: 'pending' }).expect(201))).toMatchObject({
        cta: { action: { status: 'pending' } },
      });
    });

    it('should not reach into another environment', async () => {
      const [session, sibling] = await api.siblings();
      const inbox = await createInbox(api, session);
      const [id = ''] = await inbox.deliver({ cta });
      await sibling.post('/v1/subscribers', { subscriberId: inbox.subscriber.subscriberId }).expect(201);
      await sibling.post(`${inbox.path}/messages/${id}/actions/primary`, { status: 'done' }).expect(404);
    });
  });
});

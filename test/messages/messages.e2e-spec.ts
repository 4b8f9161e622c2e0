import { Types } from 'mongoose';
import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { messageIdFor, MessageStore } from '../../src/engine/messages/store/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createInbox, newMessage } from '../factories/message.factory.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi();

const messages = (): MessageStore => api.app.get(MessageStore);
const list = async (session: TestSession, query = ''): Promise<Json[]> =>
  dataOf<Json[]>(await session.get(`/v1/messages${query}`).expect(200));
const idsOf = (rows: Json[]): unknown[] => rows.map((row) => row['_id']);

describe('/v1/messages', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/messages',
    create: async (session) => {
      const message = newMessage(session);
      await messages().insert([message]);
      const id = message._id.toHexString();
      return (await list(session)).find(({ _id }) => _id === id) ?? {};
    },
    list: { shape: 'page' },
    remove: { path: (message) => `/v1/messages/${String(message['_id'])}`, status: 200 },
  });

  describe('what the engine writes', () => {
    it('should write a repeated step once', async () => {
      const session = await api.session();
      const [first, second] = [newMessage(session), newMessage(session)];
      expect((await messages().insert([first])).size).toBe(0);
      const known = await messages().insert([{ ...first, content: 'other' }, second]);
      expect([...known]).toEqual([first._id.toHexString()]);
      const rows = await list(session);
      expect(idsOf(rows).sort()).toEqual([first, second].map(({ _id }) => _id.toHexString()).sort());
      expect(rows.map((row) => row['content'])).toEqual([first.content, second.content]);
    });

    it('should not bring back a message that was deleted since', async () => {
      const session = await api.session();
      const message = newMessage(session);
      await messages().insert([message]);
      await session.delete(`/v1/messages/${message._id.toHexString()}`).expect(200);
      expect([...(await messages().insert([message]))]).toEqual([message._id.toHexString()]);
      expect(await list(session)).toEqual([]);
    });

    it('should keep several targets of one step apart', async () => {
      const session = await api.session();
      const message = newMessage(session, { channel: 'push' });
      const key = { notificationId: message._notificationId, jobId: message._jobId };
      await messages().insert([
        { ...message, _id: messageIdFor({ ...key, target: 'a' }) },
        { ...message, _id: messageIdFor({ ...key, target: 'b' }) },
      ]);
      expect(await list(session)).toHaveLength(2);
    });

    it('should record outcomes, and only of the environment that is named', async () => {
      const [session, sibling] = await api.siblings();
      const message = newMessage(session, { channel: 'email', status: 'pending', email: 'ann@example.com' });
      await messages().insert([message]);
      const { _id: messageId, _subscriberId: subscriberId } = message;
      const failed = { messageId, subscriberId, status: 'error', errorId: 'timeout', errorText: 'No answer' } as const;
      await messages().updateOutcomes([{ ...failed, environmentId: new Types.ObjectId(sibling.environmentId) }]);
      expect((await list(session))[0]).toMatchObject({ status: 'pending' });
      await messages().updateOutcomes([{ ...failed, environmentId: message._environmentId }]);
      const [row] = await list(session);
      expect(row).toMatchObject({ status: 'error', errorId: 'timeout', errorText: 'No answer' });
      expect(row?.['email']).toBe('ann@example.com');
    });

    it('should tell how messages stand', async () => {
      const inbox = await createInbox(api, await api.session());
      const [id = ''] = await inbox.deliver({});
      await inbox.session.post(`${inbox.path}/messages/mark-as`, { messageId: id, markAs: 'seen' }).expect(201);
      const tenant = { ...inbox.session, userId: UNKNOWN_ID, apiKeyId: UNKNOWN_ID };
      expect(await messages().statesOf(tenant, [id, UNKNOWN_ID])).toEqual(
        new Map([[id, { seen: true, read: false, status: 'sent' }]]),
      );
    });

    it('should set when it is removed, by channel', async () => {
      const session = await api.session();
      const createdAt = new Date();
      await messages().insert([newMessage(session, { createdAt }), newMessage(session, { createdAt, channel: 'sms' })]);
      const days = Object.fromEntries(
        (await list(session)).map(({ channel, expireAt }) => [
          channel,
          (Date.parse(String(expireAt)) - createdAt.getTime()) / 86_400_000,
        ]),
      );
      expect(days).toEqual({ in_app: 365, sms: 30 });
    });
  });

  describe('GET', () => {
    it('should show every field that is known, and free-form parts as they were', async () => {
      const inbox = await createInbox(api, await api.session());
      const payload = { 'dotted.key': [1, null, {}], empty: {} };
      const ids = {
        _notificationId: new Types.ObjectId(),
        _jobId: new Types.ObjectId(),
        _messageTemplateId: new Types.ObjectId(),
        _feedId: new Types.ObjectId(),
      };
      const [id = ''] = await inbox.deliver({
        ...ids,
        templateIdentifier: 'order-shipped',
        transactionId: 'tx',
        subject: 'Subject',
        title: 'Title',
        email: 'ann@example.com',
        phone: '+1555',
        directWebhookUrl: 'https://chat.example.com/1',
        providerId: 'novu',
        deviceTokens: ['t1'],
        cta: { type: 'redirect', data: { url: '/x' } },
        payload,
        data: { a: 1 },
        overrides: { in_app: {} },
        actor: { type: 'system_icon', data: 'info' },
        tags: ['orders'],
        avatar: 'https://example.com/a.png',
        identifier: 'provider-1',
      });
      expect((await list(inbox.session))[0]).toEqual({
        _id: id,
        id,
        _organizationId: inbox.session.organizationId,
        _environmentId: inbox.session.environmentId,
        _templateId: inbox.workflow._id,
        _messageTemplateId: ids._messageTemplateId.toHexString(),
        _notificationId: ids._notificationId.toHexString(),
        _jobId: ids._jobId.toHexString(),
        _subscriberId: inbox.subscriber._id,
        _feedId: ids._feedId.toHexString(),
        templateIdentifier: 'order-shipped',
        transactionId: 'tx',
        channel: 'in_app',
        content: 'Your order is on its way',
        subject: 'Subject',
        title: 'Title',
        email: 'ann@example.com',
        phone: '+1555',
        directWebhookUrl: 'https://chat.example.com/1',
        providerId: 'novu',
        deviceTokens: ['t1'],
        cta: { type: 'redirect', data: { url: '/x' }, action: { buttons: [] } },
        seen: false,
        read: false,
        archived: false,
        status: 'sent',
        identifier: 'provider-1',
        payload,
        data: { a: 1 },
        overrides: { in_app: {} },
        actor: { type: 'system_icon', data: 'info' },
        tags: ['orders'],
        avatar: 'https://example.com/a.png',
        expireAt: expect.any(String) as string,
        deleted: false,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        __v: 0,
        subscriber: {
          _id: inbox.subscriber._id,
          id: inbox.subscriber._id,
          _organizationId: inbox.session.organizationId,
          _environmentId: inbox.session.environmentId,
          subscriberId: inbox.subscriber.subscriberId,
          firstName: 'Ann',
          deleted: false,
          createdAt: expect.stringMatching(/Z$/) as string,
          updatedAt: expect.stringMatching(/Z$/) as string,
        },
      });
    });

    it('should be newest first, over all channels', async () => {
      const inbox = await createInbox(api, await api.session());
      const ids = await inbox.deliver(
        { channel: 'sms' },
        { channel: 'in_app' },
        { channel: 'email' },
        { channel: 'sms' },
      );
      expect(idsOf(await list(inbox.session))).toEqual([...ids].reverse());
    });

    it('should find by channel, subscriber and transactions, together and alone', async () => {
      const session = await api.session();
      const [ann, bob] = [await createInbox(api, session), await createInbox(api, session)];
      const [a1 = '', a2 = ''] = await ann.deliver({ transactionId: 'one' }, { channel: 'sms', transactionId: 'two' });
      const [b1 = ''] = await bob.deliver({ channel: 'sms', transactionId: 'three' });
      const found = async (query: string): Promise<unknown[]> => idsOf(await list(session, query)).sort();
      expect(await found('?channel=sms')).toEqual([a2, b1].sort());
      expect(await found(`?subscriberId=${ann.subscriber.subscriberId}`)).toEqual([a1, a2].sort());
      expect(await found(`?subscriberId=${ann.subscriber.subscriberId}&channel=in_app`)).toEqual([a1]);
      expect(await found('?transactionId=one')).toEqual([a1]);
      expect(await found('?transactionId=one&transactionId=three')).toEqual([a1, b1].sort());
      expect(await found('?transactionId[]=one&transactionId[]=three')).toEqual([a1, b1].sort());
      expect(await found('?transactionId=two&channel=in_app')).toEqual([]);
    });

    it('should answer 404 for a subscriber that does not exist', async () => {
      const session = await api.session();
      const { body } = await session.get('/v1/messages?subscriberId=nobody').expect(404);
      expect(body).toMatchObject({ code: 'subscriber_not_found' });
    });

    it.each(['channel=fax', 'transactionId[$gt]=', 'subscriberId[$ne]=x'])('should refuse ?%s', async (query) => {
      const session = await api.session();
      await session.get(`/v1/messages?${query}`).expect(400);
    });
  });

  describe('DELETE', () => {
    it('should say that it is deleted', async () => {
      const inbox = await createInbox(api, await api.session());
      const [id = ''] = await inbox.deliver({});
      expect(dataOf(await inbox.session.delete(`/v1/messages/${id}`).expect(200))).toEqual({
        acknowledged: true,
        status: 'deleted',
      });
    });

    it('should refuse an id that is none, and answer 404 for an unknown one', async () => {
      const session = await api.session();
      expect(faultsOf(await session.delete('/v1/messages/x').expect(400))[0]).toMatch(/^messageId must/);
      await session.delete(`/v1/messages/${UNKNOWN_ID}`).expect(404);
    });
  });

  describe('DELETE /transaction/:transactionId', () => {
    it('should delete the messages of the transaction and no others', async () => {
      const inbox = await createInbox(api, await api.session());
      const [, , other] = await inbox.deliver({ transactionId: 't' }, { transactionId: 't' }, { transactionId: 'u' });
      const answer = await inbox.session.delete('/v1/messages/transaction/t').expect(204);
      expect(answer.text).toBe('');
      expect(idsOf(await list(inbox.session))).toEqual([other]);
      await inbox.session.delete('/v1/messages/transaction/t').expect(404);
    });

    it('should delete those of one channel only where one is named', async () => {
      const inbox = await createInbox(api, await api.session());
      const [kept] = await inbox.deliver({ transactionId: 't' }, { transactionId: 't', channel: 'sms' });
      await inbox.session.delete('/v1/messages/transaction/t?channel=sms').expect(204);
      expect(idsOf(await list(inbox.session))).toEqual([kept]);
      await inbox.session.delete('/v1/messages/transaction/t?channel=push').expect(404);
      await inbox.session.delete('/v1/messages/transaction/t?channel=fax').expect(400);
    });

    it('should not reach into another environment', async () => {
      const [session, sibling] = await api.siblings();
      const inbox = await createInbox(api, session);
      await inbox.deliver({ transactionId: 't' });
      await sibling.delete('/v1/messages/transaction/t').expect(404);
      expect(await list(session)).toHaveLength(1);
    });
  });
});

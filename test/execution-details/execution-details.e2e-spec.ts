import { Types } from 'mongoose';
import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import {
  DETAIL,
  type DetailBatch,
  ExecutionDetailsService,
  type NewDetail,
} from '../../src/engine/execution-details/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { unique, UNKNOWN_ID } from '../factories/ids.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi();

const service = (): ExecutionDetailsService => api.app.get(ExecutionDetailsService);
const jobId = new Types.ObjectId();
const newSubscriber = async (session: TestSession): Promise<{ _id: string; subscriberId: string }> =>
  dataOf(await session.post('/v1/subscribers', { subscriberId: unique('ann') }).expect(201));

/** A notification of a new subscriber and a way to add to its trace. */
async function newTrace(session: TestSession): Promise<{
  batch: DetailBatch;
  query: string;
  append: (...entries: NewDetail[]) => Promise<void>;
}> {
  const subscriber = await newSubscriber(session);
  const batch: DetailBatch = {
    organizationId: new Types.ObjectId(session.organizationId),
    environmentId: new Types.ObjectId(session.environmentId),
    notificationId: new Types.ObjectId(),
    workflowId: new Types.ObjectId(),
    subscriberId: new Types.ObjectId(subscriber._id),
    transactionId: unique('transaction'),
    entries: [],
  };
  return {
    batch,
    query: `/v1/execution-details?notificationId=${batch.notificationId.toHexString()}&subscriberId=${subscriber.subscriberId}`,
    append: (...entries) => service().append([{ ...batch, entries }]),
  };
}

const list = async (session: TestSession, path: string): Promise<Json[]> =>
  dataOf<Json[]>(await session.get(path).expect(200));

describe('GET /v1/execution-details', () => {
  it('should show every detail with every field of the interface', async () => {
    const session = await api.session();
    const { batch, query, append } = await newTrace(session);
    const messageId = new Types.ObjectId();
    await append(
      { jobId, channel: 'in_app', detail: DETAIL.startSending },
      {
        jobId,
        channel: 'in_app',
        detail: DETAIL.messageSent,
        messageId,
        providerId: 'novu',
        source: 'Webhook',
        webhookStatus: 'delivered',
        isRetry: true,
        isTest: true,
        raw: { apiKey: 'very secret', delay: 5 },
      },
    );
    const [first, second] = await list(session, query);
    const common = {
      _organizationId: session.organizationId,
      _environmentId: session.environmentId,
      _notificationId: batch.notificationId.toHexString(),
      _notificationTemplateId: batch.workflowId.toHexString(),
      _subscriberId: batch.subscriberId.toHexString(),
      _jobId: jobId.toHexString(),
      transactionId: batch.transactionId,
      channel: 'in_app',
      expireAt: expect.any(String) as string,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      updatedAt: expect.any(String) as string,
      __v: 0,
    };
    expect(first).toEqual({
      ...common,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      id: first?.['_id'],
      detail: 'Start sending message',
      source: 'Internal',
      status: 'Pending',
      isTest: false,
      isRetry: false,
    });
    expect(second).toEqual({
      ...common,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      id: second?.['_id'],
      _messageId: messageId.toHexString(),
      providerId: 'novu',
      detail: 'Message sent',
      source: 'Webhook',
      status: 'Success',
      isTest: true,
      isRetry: true,
      raw: '{"apiKey":"***","delay":5}',
      webhookStatus: 'delivered',
    });
    expect(first?.['_id']).not.toBe(second?.['_id']);
  });

  it('should be oldest first over several writes', async () => {
    const session = await api.session();
    const { query, append } = await newTrace(session);
    const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1000);
    await append({ jobId, detail: 'c', at: at(2) }, { jobId, detail: 'd', at: at(2) });
    await append({ jobId, detail: 'a', at: at(0) }, { jobId, detail: 'e', at: at(3) });
    await append({ jobId, detail: 'b', at: at(1) });
    expect((await list(session, query)).map(({ detail }) => detail)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('should show everything unless a page is asked for', async () => {
    const session = await api.session();
    const { query, append } = await newTrace(session);
    await append(...Array.from({ length: 15 }, (_, i) => ({ jobId, detail: `d${i}` })));
    const details = async (page: string): Promise<unknown[]> =>
      (await list(session, query + page)).map(({ detail }) => detail);
    expect(await details('')).toHaveLength(15);
    expect(await details('&page=1')).toEqual(['d10', 'd11', 'd12', 'd13', 'd14']);
    expect(await details('&limit=2')).toEqual(['d0', 'd1']);
    expect(await details('&limit=2&page=7')).toEqual(['d14']);
    expect(await details('&limit=2&page=8')).toEqual([]);
  });

  it('should show an empty list for an unknown notification and for one of another subscriber', async () => {
    const session = await api.session();
    const { batch, append } = await newTrace(session);
    await append({ jobId, detail: DETAIL.stepCreated });
    const { subscriberId } = await newSubscriber(session);
    for (const id of [UNKNOWN_ID, batch.notificationId.toHexString()]) {
      const path = `/v1/execution-details?notificationId=${id}&subscriberId=${subscriberId}`;
      expect(await list(session, path)).toEqual([]);
    }
  });

  it('should answer 404 for an unknown subscriber and for one of another environment', async () => {
    const [session, sibling] = await api.siblings();
    const { query, append } = await newTrace(session);
    await append({ jobId, detail: DETAIL.stepCreated });
    await session.get(`/v1/execution-details?notificationId=${UNKNOWN_ID}&subscriberId=nobody`).expect(404);
    const { body } = await sibling.get(query).expect(404);
    expect(body).toMatchObject({ code: 'subscriber_not_found' });
  });

  it.each([
    ['', ['notificationId is required and must be a mongodb id', 'subscriberId is required and must be a string']],
    [`?notificationId=${UNKNOWN_ID}`, ['subscriberId is required and must be a string']],
    ['?subscriberId=a', ['notificationId is required and must be a mongodb id']],
    ['?subscriberId=a&notificationId=x', ['notificationId must be a mongodb id']],
    [`?subscriberId[$ne]=a&notificationId=${UNKNOWN_ID}`, ['subscriberId must be a string']],
    [`?subscriberId=a&notificationId=${UNKNOWN_ID}&limit=0`, ['limit must not be less than 1']],
  ])('should refuse "%s"', async (query, faults) => {
    const session = await api.session();
    const found = faultsOf(await session.get(`/v1/execution-details${query}`).expect(400));
    expect(found).toEqual(expect.arrayContaining(faults));
  });

  it('should turn away a caller without a key', async () => {
    await request(api.url).get('/v1/execution-details').expect(401);
  });
});

describe('listFor', () => {
  it('should give the details of several notifications, by notification', async () => {
    const [session, sibling] = await api.siblings();
    const [one, two, three] = [await newTrace(session), await newTrace(session), await newTrace(sibling)];
    await one.append({ jobId, detail: 'a' }, { jobId, detail: 'b' });
    await two.append({ jobId, detail: 'c' });
    await three.append({ jobId, detail: 'd' });
    const ids = [one, two, three].map(({ batch }) => batch.notificationId.toHexString());
    const tenant = { ...session, userId: UNKNOWN_ID, apiKeyId: UNKNOWN_ID };
    const found = await service().listFor(tenant, ids);
    expect([...found].map(([id, details]) => [id, details.map(({ detail }) => detail)])).toEqual([
      [ids[0], ['a', 'b']],
      [ids[1], ['c']],
    ]);
  });
});

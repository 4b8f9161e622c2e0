import { Herald, verifyWebhook } from '@herald/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { RecordedRequest } from '../../libs/channels/test/recording-server.js';
import { createInbox } from '../factories/message.factory.js';
import { eventually } from '../support/eventually.js';
import { useDelivery } from '../support/herald.js';
import { readDocument } from '../support/routes.js';
import { createReceiver, type Receiver } from '../support/webhook-receiver.js';

const delivery = useDelivery();
const receivers: Receiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map(({ server }) => server.close())));

/** A request that Herald has sent to a webhook, and the client of its owner. */
async function delivered(): Promise<{
  herald: Herald;
  receiver: Receiver;
  request: RecordedRequest;
  see(): Promise<void>;
}> {
  const session = await delivery.session();
  const receiver = await createReceiver(session, ['message.seen']);
  receiver.server.answer = () => ({ status: 204 });
  receivers.push(receiver);
  const { path, deliver } = await createInbox(delivery, session);
  const see = async (): Promise<void> => {
    const before = receiver.server.requests.length;
    const messageId = await deliver({});
    await session.post(`${path}/messages/mark-as`, { messageId, markAs: 'seen' }).expect(201);
    await eventually(async () => {
      await delivery.drain(0, 'WebhookWorker');
      expect(receiver.server.requests.length).toBe(before + 1);
    });
  };
  await see();
  const [request] = receiver.server.requests;
  if (request === undefined) throw new Error('Nothing was delivered.');
  const herald = new Herald({ baseUrl: delivery.url, apiKey: session.apiKey });
  return { herald, receiver, request, see };
}

/** The time of the request: that of the clock of the API, which a test moves. */
const now = ({ headers }: RecordedRequest): number => Number(headers['webhook-timestamp']) * 1_000;

describe('verifyWebhook', () => {
  it('should accept what Herald delivers, which is what the document says', async () => {
    const { receiver, request } = await delivered();
    const { secret } = receiver.webhook;
    const event = await verifyWebhook(request.headers, request.body, secret, { now: now(request) });
    expect(event).toMatchObject({ type: 'message.seen', data: { message: { channel: 'in_app', seen: true } } });
    const { components } = readDocument();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile({ $ref: '#/components/schemas/WebhookEventResponse', components });
    expect(validate(event) ? [] : validate.errors).toEqual([]);
    const declared = Object.keys(components.schemas['WebhookMessageResponse']?.properties ?? {});
    expect(Object.keys(event.data.message).filter((field) => !declared.includes(field))).toEqual([]);
  });

  it('should refuse it when it was changed, is old or comes with another secret', async () => {
    const { receiver, request } = await delivered();
    const { secret } = receiver.webhook;
    const at = { now: now(request) };
    const changed = request.body.toString().replace('message.seen', 'message.read');
    await expect(verifyWebhook(request.headers, changed, secret, at)).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
    const later = { now: now(request) + 301_000 };
    await expect(verifyWebhook(request.headers, request.body, secret, later)).rejects.toMatchObject({
      code: 'timestamp_out_of_range',
    });
    const renewed = {
      ...request.headers,
      'webhook-timestamp': String(Number(request.headers['webhook-timestamp']) + 1),
    };
    await expect(verifyWebhook(renewed, request.body, secret, at)).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
    const other = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    await expect(verifyWebhook(request.headers, request.body, other, at)).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });

  it('should accept the former and the new secret after a rotation', async () => {
    const { herald, receiver, see } = await delivered();
    const { _id, secret: former } = receiver.webhook;
    const { secret } = await herald.webhooks.rotateWebhookSecret({ path: { webhookId: _id } });
    await eventually(async () => {
      await see();
      const request = receiver.server.requests.at(-1);
      if (request === undefined) throw new Error('Nothing was delivered.');
      for (const one of [former, secret]) {
        const event = await verifyWebhook(request.headers, request.body, one, { now: now(request) });
        expect(event.type).toBe('message.seen');
      }
    });
  });
});

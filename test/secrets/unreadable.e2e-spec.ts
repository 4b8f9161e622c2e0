import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { SecretBox } from '#libs/secrets';
import type { TestSession } from '../harness/index.js';
import type { RecordedRequest } from '../../libs/channels/test/recording-server.js';
import { SEALED_FIELDS } from '../../src/bootstrap/sealed-fields.js';
import { dataOf } from '../support/answers.js';
import { createWorkflow, inApp, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { createReceiver, isAuthentic } from '../support/webhook-receiver.js';
import { joined, PASSWORD } from '../support/signed-in-browser.js';

const delivery = useDeliveryApi('unreadable');
let connection: Connection;
let session: TestSession;
let other: TestSession;
beforeAll(() => {
  connection = delivery.api.app.get<Connection>(getConnectionToken());
});
beforeEach(async () => {
  [session, other] = await delivery.api.siblings();
});

const LOST_KEY = new SecretBox(['a key that is lost, of 32 or more characters']);
const sms = async (caller: TestSession, name: string): Promise<string> => {
  return (
    await dataOf<{ _id: string }>(
      caller.post('/v1/integrations', {
        name,
        providerId: 'twilio',
        channel: 'sms',
        active: true,
        credentials: { accountSid: 'AC1', token: `token of ${name}`, from: '+4930111' },
      }),
      201,
    )
  )._id;
};
/** Puts a text there that was sealed with a key that is lost. */
const lose = async (collection: string, id: string, path: string): Promise<void> => {
  const place = { collection, id, environmentId: session.environmentId, field: path };
  const { matchedCount } = await connection
    .collection(collection)
    .updateOne({ _id: new Types.ObjectId(id) }, { $set: { [path]: LOST_KEY.seal('{}', place) } });
  expect(matchedCount).toBe(1);
};

describe('an integration whose credentials cannot be read', () => {
  it('should be listed as such, with all others', async () => {
    const [lost, sound] = [await sms(session, 'lost'), await sms(session, 'sound')];
    await lose('integrations', lost, 'sealedCredentials');
    for (const path of ['/v1/integrations', '/v1/integrations/active']) {
      const rows = await dataOf<{ _id: string }[]>(session.get(path), 200);
      expect(rows.find(({ _id }) => _id === lost)).toMatchObject({
        active: true,
        credentials: {},
        credentialsError: expect.stringContaining(LOST_KEY.currentKeyId) as string,
      });
      const whole = rows.find(({ _id }) => _id === sound);
      expect(whole).toMatchObject({ credentials: { token: 'token of sound' } });
      expect(whole).not.toHaveProperty('credentialsError');
    }
    await createWorkflow(session, [inApp('still there')]);
    await session.get('/v1/workflows').expect(200);
  });

  it('should answer with a code of its own where it alone is asked for or would be used', async () => {
    const lost = await sms(session, 'lost');
    await lose('integrations', lost, 'sealedCredentials');
    const refusals = [
      await session.get(`/v1/integrations/webhook/provider/${lost}/status`),
      await session.put(`/v1/integrations/${lost}`, { name: 'renamed' }),
    ];
    for (const { status, body } of refusals) {
      expect([status, (body as { code?: string }).code]).toEqual([409, 'secret_unreadable']);
    }
  });

  it('should be turned off, overwritten and deleted over the API', async () => {
    const lost = await sms(session, 'lost');
    await lose('integrations', lost, 'sealedCredentials');
    await session.put(`/v1/integrations/${lost}`, { active: false, name: 'off' }).expect(200);
    const credentials = { accountSid: 'AC2', token: 'new', from: '+4930222' };
    const { body } = await session.put(`/v1/integrations/${lost}`, { active: true, credentials }).expect(200);
    expect(body).toMatchObject({ data: { name: 'off', active: true, credentials } });
    await lose('integrations', lost, 'sealedCredentials');
    await session.delete(`/v1/integrations/${lost}`).expect(200);
  });

  it('should be passed over in delivery, with a detail that says why', async () => {
    const spare = await sms(session, 'spare');
    const lost = await sms(session, 'lost');
    await session.post(`/v1/integrations/${lost}/set-primary`).expect(200);
    await lose('integrations', lost, 'sealedCredentials');
    await lose('integrations', spare, 'sealedCredentials');
    const workflow = await createWorkflow(session, [{ template: { type: 'sms', content: 'x' } }, inApp('arrives')]);
    const id = await trigger(session, { name: workflow.identifier, to: { subscriberId: 'ada', phone: '+4930333' } });
    await delivery.drain();
    const [text, feed] = (await notificationOf(session, id)).jobs;
    const told = text?.executionDetails.filter(({ raw }) => raw?.includes('cannot be read'));
    // One for each of the two: the first did not take the second with it.
    expect(told?.map(({ raw }) => [lost, spare].filter((one) => raw?.includes(one))).flat()).toEqual([lost, spare]);
    expect(text?.status).toBe('failed');
    expect(feed?.status).toBe('completed');
  });

  it('should let its provider call back later', async () => {
    const lost = await sms(session, 'lost');
    await lose('integrations', lost, 'sealedCredentials');
    const { body } = await session.post(`/v1/provider-callbacks/${lost}`, {}).expect(503);
    expect(body).toMatchObject({ code: 'callback_not_verifiable' });
  });
});

describe('another secret that cannot be read', () => {
  it('should leave the other API keys readable, and the key itself working', async () => {
    const { _id, key } = await dataOf<{ _id: string; key: string }>(
      session.post('/v1/environments/api-keys', { name: 'further' }),
      201,
    );
    await lose('apiKeys', _id, 'sealed');
    const { body } = await session.get('/v1/environments/api-keys').expect(200);
    expect(body).toMatchObject({ data: [{ key: session.apiKey }, { key: '********' }] });
    const own = await fetch(`${delivery.api.url}/v1/environments/api-keys`, { headers: { 'x-api-key': key } });
    expect({ status: own.status, ...((await own.json()) as object) }).toMatchObject({
      status: 200,
      data: [{ key: '', keyError: expect.stringContaining('cannot be read') as string }, { key: '********' }],
    });
    await session.post(`/v1/environments/api-keys/${_id}/rotate`).expect(201);
  });

  it('should be replaced where it signs webhooks', async () => {
    const hook = await createReceiver(session, ['message.sent']);
    await lose('webhookEndpoints', hook.webhook._id, 'sealedSecret');
    const { body } = await session.get(`/v1/webhooks/${hook.webhook._id}/secret`).expect(409);
    expect(body).toMatchObject({ code: 'secret_unreadable' });
    await session.get('/v1/webhooks').expect(200);
    const rotated = await session.post(`/v1/webhooks/${hook.webhook._id}/secret/rotate`).expect(201);
    const { secret } = dataOf<{ secret: string }>(rotated);
    const { identifier } = await createWorkflow(session, [inApp('x')]);
    await trigger(session, { name: identifier, to: 'ada' });
    await delivery.drain();
    await eventually(() => {
      expect(hook.server.requests).toHaveLength(1);
      return Promise.resolve();
    });
    expect(await isAuthentic(hook.server.requests[0] as RecordedRequest, secret)).toBe(true);
    await hook.server.close();
  });

  it('should not let a request with an Idempotency-Key run a second time', async () => {
    const send = () => session.post('/v1/feeds', { name: 'Once' }).set('Idempotency-Key', 'k');
    await send().expect(201);
    const [row] = await delivery.rows('idempotencyKeys', { _environmentId: new Types.ObjectId(session.environmentId) });
    await lose('idempotencyKeys', String(row?.['_id']), 'sealed');
    const { body } = await send().expect(409);
    expect(body).toMatchObject({ code: 'secret_unreadable' });
  });
});

describe('a sealed text', () => {
  const rowOf = (id: string) => connection.collection('integrations').findOne({ _id: new Types.ObjectId(id) });

  it('should not open in another record, nor in the same record of another environment', async () => {
    const production = await sms(other, 'production');
    const own = await sms(session, 'own');
    const text = (await rowOf(production))?.['sealedCredentials'] as string;
    await connection
      .collection('integrations')
      .updateOne({ _id: new Types.ObjectId(own) }, { $set: { sealedCredentials: text } });
    await connection
      .collection('integrations')
      .updateOne(
        { _id: new Types.ObjectId(production) },
        { $set: { _environmentId: new Types.ObjectId(session.environmentId) } },
      );
    const { body } = await session.get('/v1/integrations').expect(200);
    expect(JSON.stringify(body)).not.toContain('token of production');
    expect(body).toMatchObject({ data: [{ credentials: {} }, { credentials: {} }] });
  });

  it('should stand in no field that a change of the key does not reach', async () => {
    await sms(session, 'some');
    const hook = await createReceiver(session, ['message.sent']);
    await session.post(`/v1/webhooks/${hook.webhook._id}/secret/rotate`).expect(201);
    await hook.server.close();
    await session.post('/v1/condition-webhooks/secret/rotate').expect(201);
    await session.put('/v1/secrets/KEY', { value: 'value', hosts: ['example.com'] }).expect(200);
    await session.post('/v1/feeds', { name: 'Kept' }).set('Idempotency-Key', 'k').expect(201);
    const person = await joined(session, 'viewer');
    await person.post('/v1/users/me/totp', { password: PASSWORD }).expect(201);
    const places = new Set<string>();
    const visit = (collection: string, path: string, value: unknown): void => {
      if (typeof value === 'string' && SecretBox.infoOf(value)) places.add(`${collection} ${path}`);
      if (typeof value !== 'object' || value === null || value instanceof Types.ObjectId) return;
      for (const [key, child] of Object.entries(value)) visit(collection, path === '' ? key : `${path}.${key}`, child);
    };
    for (const { name } of (await connection.db?.listCollections().toArray()) ?? []) {
      for (const row of await delivery.rows(name)) visit(name, '', row);
    }
    const known = SEALED_FIELDS.map(({ collection, path }) => `${collection} ${path}`);
    const check = [...places].filter((place) => place.startsWith('storeKeys sealed.'));
    expect(check).toHaveLength(1);
    expect([...places].sort()).toEqual([...known, ...check].sort());
  });
});

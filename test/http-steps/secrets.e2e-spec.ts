import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { clientOf } from '../support/client.js';
import { createWorkflow, notificationOf, type SentStep, type ShownNotification, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { RecordingServer } from '../support/recording-server.js';
import { joined } from '../support/signed-in-browser.js';
import { useSession } from '../support/test-api.js';

const SECRET = 's3cr3t-value-of-crm';
const SETTINGS = { ALLOW_PRIVATE_URLS: '1', LOG_LEVEL: 'silent', DELIVERY_MAX_ATTEMPTS: '1' };

describe('a secret of a step', () => {
  const delivery = useDeliveryApi('step_secrets', SETTINGS);
  const session = useSession(delivery.api);
  /** At 127.0.0.1. The same port answers at localhost, which is another host. */
  const server = new RecordingServer();
  const other = new RecordingServer();
  const elsewhere = (): string => server.url.replace('127.0.0.1', 'localhost');

  beforeAll(async () => {
    await server.listen();
    await other.listen();
  });
  beforeEach(() => {
    server.reset();
    other.reset();
  });
  afterAll(() => {
    server.close();
    other.close();
  });

  const bind = (hosts: string[] = ['127.0.0.1']): Promise<Json> =>
    dataOf(session.put('/v1/secrets/TOK', { value: SECRET, hosts }), 200);
  const step = (template: Json): SentStep => ({ template: { type: 'http_request', method: 'POST', ...template } });
  const send = async (template: Json, payload: Json = {}): Promise<ShownNotification> => {
    const { identifier } = await createWorkflow(session, [step(template)]);
    const id = await trigger(session, { name: identifier, to: 'ann', payload });
    await delivery.drain(60_000);
    return notificationOf(session, id);
  };
  const stateOf = ({ jobs }: ShownNotification): unknown[] => [jobs[0]?.status, jobs[0]?.reason];
  const failed = ['failed', 'http_request'];
  const withSecret = (url: string): Json[] => [
    { url, headers: [{ key: 'authorization', value: 'Bearer {{secrets.TOK}}' }] },
    { url, body: '{ "token": "{{secrets.TOK}}" }' },
    { url, body: [{ key: 'token', value: '{{secrets.TOK}}' }] },
    { url: `${url}/{{secrets.TOK}}` },
    { url: `${url}/?key={{secrets.TOK}}`, method: 'GET' },
    { url, headers: [{ key: 'x-a', value: '{{#with secrets.TOK}}{{this}}{{/with}}' }] },
  ];

  it('should be sent to its hosts', async () => {
    await bind(['127.0.0.1', 'crm.example.com']);
    for (const template of withSecret(server.url)) {
      expect(stateOf(await send(template))[0]).toBe('completed');
      expect(JSON.stringify(server.requests.at(-1))).toContain(SECRET);
    }
    expect(server.requests).toHaveLength(withSecret('').length);
  });

  it('should be sent to no other host, and the trail says so', async () => {
    await bind();
    for (const template of withSecret('{{target}}')) {
      const shown = await send(template, { target: elsewhere() });
      expect(stateOf(shown)).toEqual(failed);
      expect(shown.jobs[0]?.error).toBe(
        "The secret TOK must not be sent to 'localhost', only to 127.0.0.1. Nothing was sent.",
      );
      expect(JSON.stringify(shown)).not.toContain(SECRET);
    }
    expect(server.requests).toEqual([]);
  });

  it('should not be read by an editor who makes a workflow for it', async () => {
    await bind(['crm.example.com']);
    const editor = await joined(session, 'editor');
    await editor.put('/v1/secrets/TOK', { hosts: ['127.0.0.1'] }).expect(403);
    const workflow = {
      name: 'Thief',
      active: true,
      steps: withSecret(server.url).map(step),
    };
    const made = await dataOf(editor.post('/v1/workflows', workflow), 201);
    await editor.post('/v1/events/trigger', { name: 'thief', to: 'ann', payload: {} }).expect(201);
    await delivery.drain(60_000);
    const event = { name: 'thief', to: 'ann', payload: {} };
    const answers = [await editor.post('/v1/events/trigger/dry-run', event).expect(200)];
    for (const { _id } of made['steps'] as { _id: string }[]) {
      const path = `/v1/workflows/${String(made['_id'])}/steps/${_id}`;
      answers.push(await editor.post(`${path}/preview`, { subscriber: { subscriberId: 'ann' } }).expect(200));
      answers.push(await editor.post(`${path}/test`, { subscriberId: 'ann' }));
    }
    await delivery.drain(60_000);
    expect(server.requests).toEqual([]);
    expect(JSON.stringify(answers.map(({ body }) => body as Json))).not.toContain(SECRET);
  });

  it('should be missed in previews and dry runs as it is in deliveries', async () => {
    await bind(['crm.example.com']);
    const template = { ...withSecret(server.url)[0], sampleResponse: { a: 1 } };
    const { identifier, _id, steps } = await createWorkflow(session, [step(template)]);
    const body = { name: identifier, to: 'ann', payload: {} };
    const { recipients } = await clientOf(session).events.dryRunEvent({ body });
    expect(recipients[0]?.steps[0]).toMatchObject({ status: 'failed' });
    const path = `/v1/workflows/${_id}/steps/${String(steps[0]?._id)}/preview`;
    const preview = await dataOf(session.post(path, { subscriber: { subscriberId: 'ann' } }), 200);
    expect(JSON.stringify(preview)).toContain("must not be sent to '127.0.0.1'");
  });

  it('should never be part of what stands before the path of a URL', async () => {
    await session
      .put('/v1/secrets/HOST', { value: server.url.slice('http://'.length), hosts: ['127.0.0.1'] })
      .expect(200);
    const port = String(new URL(server.url).port);
    for (const url of [
      'http://{{secrets.HOST}}/',
      `http://127.0.0.1{{secrets.HOST}}/`,
      `http://{{secrets.HOST}}@127.0.0.1:${port}/`,
      `http://a:{{secrets.HOST}}@127.0.0.1:${port}/`,
      'http://127.0.0.1:{{secrets.HOST}}/',
      'http:{{secrets.HOST}}/',
      '{{secrets.HOST}}://127.0.0.1/',
      '{{secrets.HOST}}',
    ]) {
      expect([url, ...stateOf(await send({ url }))]).toEqual([url, ...failed]);
    }
    expect(server.requests).toEqual([]);
  });

  it('should be sent nowhere without hosts, until somebody binds it', async () => {
    await bind();
    // As earlier versions stored it.
    const records = delivery.api.app.get<Model<Json>>(getModelToken('EnvironmentSecret'));
    const own = { _environmentId: session.environmentId, name: 'TOK' };
    await records.updateOne(own, { $unset: { hosts: 1 } });
    expect(await dataOf(session.get('/v1/secrets'), 200)).toMatchObject([{ name: 'TOK', hosts: [] }]);
    const [template = {}] = withSecret(server.url);
    const shown = await send(template);
    expect(stateOf(shown)).toEqual(failed);
    expect(shown.jobs[0]?.error).toMatch(/^The secret TOK has no hosts, so it is sent to none\./);
    expect(server.requests).toEqual([]);
    expect(faultsOf(await session.put('/v1/secrets/TOK', { value: 'x' }).expect(400))[0]).toMatch(/^hosts is required/);
    await session.put('/v1/secrets/TOK', { hosts: ['127.0.0.1'] }).expect(200);
    await session.post(`/v1/notifications/${shown._id}/replay`, {}).expect(202);
    await delivery.drain(60_000);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${SECRET}` });
  });

  it.each([301, 302, 303, 307, 308])('should not be taken to another origin by a redirect with %s', async (status) => {
    await bind(['127.0.0.1']);
    const location = `${other.url}/stolen`;
    for (const template of withSecret(server.url)) {
      server.answerWith({ status, headers: { location } });
      const shown = await send(template);
      expect(stateOf(shown)).toEqual(failed);
      expect(shown.jobs[0]?.error).toContain(`redirects the request to '${other.url}'`);
    }
    expect(other.requests).toEqual([]);
    server.answerWith({ status, headers: { location: '/here' } }, { status: 200, body: {} });
    expect(stateOf(await send(withSecret(server.url)[0] ?? {}))[0]).toBe('completed');
  });

  it('should be no part of what a request without secrets does at a redirect', async () => {
    server.answerWith({ status: 307, headers: { location: `${other.url}/new` } });
    const headers = [
      { key: 'x-signature-key', value: 'mine' },
      { key: 'x-timestamp-token', value: 'mine' },
      { key: 'authorization', value: 'mine' },
      { key: 'accept', value: 'application/json' },
    ];
    expect(stateOf(await send({ url: server.url, headers, body: '{"a":1}' }))[0]).toBe('completed');
    expect(other.requests[0]).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { accept: 'application/json' },
    });
    expect(JSON.stringify(other.requests[0]?.headers)).not.toContain('mine');
  });

  it('should keep its host where a value with other meanings in URLs is encoded', async () => {
    await bind();
    const url = `${server.url}/stock/{{uriEncode id}}?size={{uriEncode size}}`;
    const headers = [{ key: 'authorization', value: '{{secrets.TOK}}' }];
    await send({ url, headers, method: 'GET' }, { id: '../../admin?x=1#', size: 'a&b=c' });
    expect(server.requests.map(({ path }) => path)).toEqual(['/stock/..%2F..%2Fadmin%3Fx%3D1%23?size=a%26b%3Dc']);
    const refused = await send({ url, headers, method: 'GET' }, { id: '..', size: '1' });
    expect(refused.jobs[0]).toMatchObject({ status: 'failed' });
    expect(server.requests).toHaveLength(1);
  });
});

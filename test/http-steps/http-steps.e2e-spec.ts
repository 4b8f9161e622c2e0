import { createHmac } from 'node:crypto';
import { mongo } from 'mongoose';
import { CALLING, MARKING } from '../../src/engine/delivery/run/begun-calls.js';
import { clientOf } from '../support/client.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import {
  createWorkflow,
  delay,
  feedOf,
  inApp,
  notificationOf,
  type SentEvent,
  type SentStep,
  type ShownNotification,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { RecordingServer } from '../support/recording-server.js';
import { useSession } from '../support/test-api.js';

const RETRY_MS = 1_000;
const LEASE_MS = 10_000;
const SETTINGS = {
  ALLOW_PRIVATE_URLS: '1',
  LOG_LEVEL: 'silent',
  DELIVERY_RETRY_BASE_MS: String(RETRY_MS),
  DELIVERY_RETRY_MAX_MS: String(RETRY_MS),
  DELIVERY_MAX_ATTEMPTS: '3',
};

describe('a step that sends a request', () => {
  const delivery = useDeliveryApi('http_steps', SETTINGS);
  const session = useSession(delivery.api);
  const server = new RecordingServer();

  beforeAll(() => server.listen());
  beforeEach(() => server.reset());
  afterEach(() => CALLING.disarm());
  afterAll(() => server.close());

  const request = (template: Json = {}, more: Json = {}): SentStep => ({
    stepId: 'lookup',
    template: { type: 'http_request', method: 'POST', url: `${server.url}/orders/{{order}}`, ...template },
    ...more,
  });
  const send = async (steps: SentStep[], more: Partial<SentEvent> = {}): Promise<ShownNotification> => {
    const { identifier } = await createWorkflow(session, steps);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: { order: 'o-1' }, ...more });
    await delivery.drain(60_000);
    return notificationOf(session, id);
  };
  const outcomes = ({ jobs }: ShownNotification): unknown[] => jobs.map(({ status, reason }) => [status, reason]);
  const entryOf = ({ jobs }: ShownNotification, text: RegExp, step = 0): Json | undefined => {
    const found = jobs[step]?.executionDetails.find(({ detail }) => text.test(detail));
    return found && { status: found.status, ...(JSON.parse(found.raw ?? '{}') as Json) };
  };
  const contents = async (): Promise<string[]> =>
    (await feedOf(session, 'ann')).map(({ content }) => content).reverse();

  it('should render the request, and hand the answer on by stepId and uuid', async () => {
    server.answerWith({ status: 200, body: { customer: { name: 'Ada' }, items: [1, 2] } });
    const body = '{ "order": "{{order}}", "name": "{{name}}", "count": 2 }';
    const headers = [{ key: 'X-Order', value: 'nr {{order}}' }];
    const text = inApp('{{steps.lookup.customer.name}} {{steps.lookup.items.length}} {{step.outputs.u1.items.[1]}}');
    const shown = await send([request({ body, headers }, { uuid: 'u1' }), text], {
      payload: { order: 'o-1', name: 'a "quoted" \\ name' },
    });
    expect(outcomes(shown)).toEqual([
      ['completed', undefined],
      ['completed', undefined],
    ]);
    expect(await contents()).toEqual(['Ada 2 2']);
    const [got] = server.requests;
    expect(got).toMatchObject({
      method: 'POST',
      path: '/orders/o-1',
      headers: { 'content-type': 'application/json', 'x-order': 'nr o-1', 'idempotency-key': shown.jobs[0]?._id },
    });
    expect(got?.body).toBe('{"order":"o-1","name":"a \\"quoted\\" \\\\ name","count":2}');
    expect(entryOf(shown, /^HTTP request was answered/)).toMatchObject({
      status: 200,
      method: 'POST',
      url: `${server.url}/orders/o-1`,
      attempt: 1,
      output: { customer: { name: 'Ada' }, items: [1, 2] },
    });
  });

  it('should sign as the compatible system does, so that its snippet accepts it', async () => {
    await send([request({ body: '{ "b": [1,  2], "a": "{{order}}" }' })]);
    await send([request({ method: 'GET', url: `${server.url}/get?x=1` })]);
    for (const { headers, body } of server.requests) {
      const [time = '', signature = ''] = (headers['novu-signature'] ?? '')
        .split(',')
        .map((part) => part.split('=')[1] ?? '');
      const parsed: unknown = body === '' ? {} : JSON.parse(body);
      const expected = createHmac('sha256', session.apiKey)
        .update(`${time}.${JSON.stringify(parsed)}`)
        .digest('hex');
      expect(signature).toBe(expected);
      expect(Math.abs(Number(time) - delivery.clock.now().getTime())).toBeLessThan(300_000);
    }
    expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/orders/o-1', '{"b":[1,2],"a":"o-1"}'],
      ['GET', '/get?x=1', ''],
    ]);
  });

  it('should take fields, rendered JSON and other types for the body', async () => {
    const other = [{ key: 'content-type', value: 'application/x-www-form-urlencoded' }];
    await send([request({ body: [{ key: 'order', value: '{{order}}' }] })]);
    await send([request({ body: '{ "all": {{json list}}, "n": {{n}} }' })], {
      payload: { order: 1, n: 5, list: ['a'] },
    });
    await send([request({ body: 'order={{order}}', headers: other })]);
    const broken = await send([request({ body: '{ "n": {{n}} }' })], { payload: { order: 1, n: 'x y' } });
    expect(server.requests.map(({ body }) => body)).toEqual(['{"order":"o-1"}', '{"all":["a"],"n":5}', 'order=o-1']);
    expect(entryOf(broken, /^HTTP request failed/)).toMatchObject({
      error: expect.stringContaining('not JSON') as string,
    });
  });

  it('should use secrets by name, and show them nowhere', async () => {
    const secret = 's3cr3t-value-of-crm';
    dataOf(await session.put('/v1/secrets/CRM_TOKEN', { value: secret, hosts: ['127.0.0.1'] }).expect(200));
    server.answerWith({ status: 200, body: { echo: `Bearer ${secret}` } });
    const headers = [{ key: 'Authorization', value: 'Bearer {{secrets.CRM_TOKEN}}' }];
    const template = {
      headers,
      url: `${server.url}/a?key={{secrets.CRM_TOKEN}}`,
      body: '{ "t": "{{secrets.CRM_TOKEN}}" }',
    };
    const shown = await send([request(template), inApp('{{steps.lookup.echo}}{{secrets.CRM_TOKEN}}')]);
    expect(server.requests[0]).toMatchObject({
      path: `/a?key=${secret}`,
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(server.requests[0]?.body).toBe(`{"t":"${secret}"}`);
    expect(await contents()).toEqual(['Bearer ***']);
    const everything = [shown, await delivery.rows('notifications'), await delivery.rows('messages')];
    expect(JSON.stringify(everything)).not.toContain(secret);
    expect(JSON.stringify(await delivery.rows('environmentSecrets'))).not.toContain(secret);
  });

  it('should fail without a secret that it names, and say which', async () => {
    const headers = [{ key: 'authorization', value: '{{secrets.NONE}}' }];
    const shown = await send([request({ headers }), inApp('later')]);
    expect(outcomes(shown)).toEqual([
      ['failed', 'http_request'],
      ['canceled', 'earlier_step_failed'],
    ]);
    expect(entryOf(shown, /^HTTP request failed/)).toMatchObject({
      error: expect.stringContaining('no secret NONE') as string,
    });
    expect(server.requests).toEqual([]);
  });

  it('should try again after 5xx, 429 and 408 and a lost connection, with the same key, and not after 4xx', async () => {
    server.answerWith({ status: 503 }, { status: 429 }, { status: 200, body: { ok: true } });
    expect(outcomes(await send([request()]))).toEqual([['completed', undefined]]);
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(server.requests).toHaveLength(3);
    server.reset();
    server.answerWith({ status: 408 }, 'cut', { status: 200 });
    expect(outcomes(await send([request()]))).toEqual([['completed', undefined]]);
    expect(server.requests).toHaveLength(3);
    server.reset();
    server.answerWith({ status: 404, body: { why: 'gone' } });
    const refused = await send([request(), inApp('later')]);
    expect(outcomes(refused)).toEqual([
      ['failed', 'http_request'],
      ['canceled', 'earlier_step_failed'],
    ]);
    expect(entryOf(refused, /^HTTP request failed/)).toMatchObject({ status: 404, answer: '{"why":"gone"}' });
    expect(server.requests).toHaveLength(1);
  });

  it('should wait as long as Retry-After says, and give up after its attempts', async () => {
    server.answerWith({ status: 503, headers: { 'retry-after': '30' } }, { status: 500 }, { status: 200 });
    const { identifier } = await createWorkflow(session, [request({ maxAttempts: 2 }), inApp('later')]);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: { order: 1 } });
    await delivery.drain(29_000);
    expect(server.requests).toHaveLength(1);
    await delivery.drain(60_000);
    expect(server.requests).toHaveLength(2);
    const shown = await notificationOf(session, id);
    expect(outcomes(shown)).toEqual([
      ['failed', 'http_request'],
      ['canceled', 'earlier_step_failed'],
    ]);
    expect(entryOf(shown, /will be retried/)).toMatchObject({ status: 503, attempt: 1 });
  });

  it('should go on after a failure where the step says so', async () => {
    server.answerWith({ status: 400 });
    const shown = await send([request({ continueOnFailure: true }), inApp('{{#if steps.lookup}}yes{{else}}no{{/if}}')]);
    expect(outcomes(shown)).toEqual([
      ['failed', 'http_request'],
      ['completed', undefined],
    ]);
    expect(await contents()).toEqual(['no']);
  });

  it('should end an attempt after its time', async () => {
    server.answerWith('never', 'never');
    const shown = await send([request({ timeoutMs: 100, maxAttempts: 2 })]);
    expect(server.requests).toHaveLength(2);
    expect(shown.jobs[0]).toMatchObject({ status: 'failed', reason: 'uncertain' });
    expect(entryOf(shown, /^HTTP request failed$/)).toMatchObject({
      error: expect.stringContaining('in time') as string,
    });
  });

  it('should say that an answer is too large, or not JSON', async () => {
    server.answerWith({ status: 200, text: `{"a":"${'x'.repeat(70_000)}"}` });
    expect(entryOf(await send([request()]), /^HTTP request failed/)).toMatchObject({
      error: expect.stringContaining('65,536') as string,
    });
    server.answerWith({ status: 200, text: 'x'.repeat(1_200_000) });
    expect(entryOf(await send([request()]), /^HTTP request failed/)).toMatchObject({
      error: expect.stringContaining('65,536') as string,
    });
    server.answerWith({ status: 200, text: 'ok' });
    const shown = await send([request(), inApp('{{steps.lookup.body}}')]);
    expect(outcomes(shown)).toEqual([
      ['completed', undefined],
      ['completed', undefined],
    ]);
    expect(entryOf(shown, /not JSON/)).toMatchObject({ status: 200 });
    expect(await contents()).toEqual(['ok']);
  });

  it('should compare the answer with the schema, and fail only where that is enforced', async () => {
    const responseBodySchema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    server.answerWith(
      { status: 200, body: { id: 'x' } },
      { status: 200, body: { id: 'x' } },
      { status: 200, body: { id: 5 } },
    );
    const loose = await send([request({ responseBodySchema })]);
    expect(outcomes(loose)).toEqual([['completed', undefined]]);
    expect(entryOf(loose, /does not fit/)).toMatchObject({
      error: expect.stringContaining('/id must be integer') as string,
    });
    const strict = await send([request({ responseBodySchema, enforceSchemaValidation: true })]);
    expect(outcomes(strict)).toEqual([['failed', 'http_request']]);
    const fitting = await send([request({ responseBodySchema, enforceSchemaValidation: true })]);
    expect(outcomes(fitting)).toEqual([['completed', undefined]]);
  });

  it('should not stand still over a hostile schema', async () => {
    const responseBodySchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    server.answerWith({ status: 200, body: { a: `${'a'.repeat(40)}!` } });
    const before = performance.eventLoopUtilization();
    const shown = await send([request({ responseBodySchema, enforceSchemaValidation: true })]);
    expect(performance.eventLoopUtilization(before).active).toBeLessThan(5_000);
    expect(entryOf(shown, /^HTTP request failed/)).toMatchObject({
      error: expect.stringContaining('longer than') as string,
    });
  });

  it('should not be repeated by whoever takes the run up after its request had begun, unless it only reads', async () => {
    const cases = [
      ['POST', 1, 'failed'],
      ['GET', 2, 'completed'],
    ] as const;
    for (const [method, times, end] of cases) {
      server.reset();
      const { identifier } = await createWorkflow(session, [delay(), request({ method })]);
      const id = await trigger(session, { name: identifier, to: 'ann', payload: { order: 1 } });
      await delivery.drain();
      // The request has left when the process dies.
      CALLING.armOnce(async () => {
        await fetch(server.url, { method });
        throw new mongo.MongoError('dead');
      });
      await delivery.drain(300_000);
      expect(server.requests).toHaveLength(1);
      await delivery.drain(LEASE_MS);
      expect(server.requests).toHaveLength(times);
      const shown = await notificationOf(session, id);
      expect(shown.jobs[1]?.status).toBe(end);
      if (end === 'completed') continue;
      expect(shown.jobs[1]?.reason).toBe('uncertain');
      await session.post(`/v1/notifications/${shown._id}/replay`, {}).expect(409);
      await session.post(`/v1/notifications/${shown._id}/replay`, { includeUncertain: true }).expect(202);
      await delivery.drain(60_000);
      expect(server.requests).toHaveLength(times + 1);
    }
  });

  it('should begin its request under a whole lease, however long it took until then', async () => {
    server.answerWith({ status: 200, body: {} });
    const { identifier } = await createWorkflow(session, [delay(), request()]);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: { order: 1 } });
    await delivery.drain();
    const lateMs = LEASE_MS * 0.9;
    let restMs = 0;
    MARKING.armOnce(() => Promise.resolve(delivery.clock.advance(lateMs)));
    CALLING.armOnce(async () => {
      const [row] = await delivery.rows('notifications', { transactionId: id });
      restMs = (row?.['wakeAt'] as Date).getTime() - delivery.clock.now().getTime();
    });
    await delivery.drain(300_000);
    expect(restMs).toBe(LEASE_MS);
    expect(outcomes(await notificationOf(session, id))).toEqual([
      ['completed', undefined],
      ['completed', undefined],
    ]);
  });

  it('should not be sent again by a replay of a later step', async () => {
    const sms = { template: { type: 'sms', content: 'x' } };
    const shown = await send([request(), sms], { to: { subscriberId: 'ann', phone: '+491234' } });
    expect(shown.jobs[1]?.status).toBe('failed');
    await session.post(`/v1/notifications/${shown._id}/replay`, {}).expect(202);
    await delivery.drain(60_000);
    expect(server.requests).toHaveLength(1);
  });

  it('should send nothing in a dry run, which takes the sample for the answer', async () => {
    const sampleResponse = { name: 'Sample' };
    const { identifier } = await createWorkflow(session, [request({ sampleResponse }), inApp('{{steps.lookup.name}}')]);
    const body = { name: identifier, to: 'ann', payload: { order: 1 } };
    const { recipients } = await clientOf(session).events.dryRunEvent({ body });
    expect(recipients[0]?.steps[1]?.messages).toMatchObject([{ content: 'Sample' }]);
    const bare = await createWorkflow(session, [request(), inApp('x')]);
    const plain = await clientOf(session).events.dryRunEvent({ body: { ...body, name: bare.identifier } });
    expect(plain.recipients[0]?.steps[0]).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(plain.recipients[0]?.steps[0]?.details)).toContain('HTTP request was not sent');
    expect(server.requests).toEqual([]);
  });

  it('should be a value that conditions of later steps read', async () => {
    server.answerWith({ status: 200, body: { wantsMail: false } }, { status: 200, body: { wantsMail: true } });
    const filters = [{ children: [{ on: 'steps', field: 'lookup.wantsMail', operator: 'EQUAL', value: 'true' }] }];
    expect(outcomes(await send([request(), inApp('x', { filters })]))[1]).toEqual(['skipped', 'conditions']);
    expect(outcomes(await send([request(), inApp('x', { filters })]))[1]).toEqual(['completed', undefined]);
  });

  it('should be refused with words for each field', async () => {
    const template = {
      method: 'GET',
      url: 'ftp://example.com',
      headers: [
        { key: 'host', value: 'x' },
        { key: 'a b', value: 'x' },
      ],
      body: 'x',
      responseBodySchema: [],
      timeoutMs: 5,
      maxAttempts: 11,
    };
    const workflow = (one: Json): object => ({
      name: 'Request',
      active: true,
      steps: [{ template: { type: 'http_request', ...one } }],
    });
    const faults = faultsOf(await session.post('/v1/workflows', workflow(template)).expect(400));
    expect(faults.map((fault) => fault.replace('steps.0.template.', ''))).toEqual([
      'url must be an absolute http or https URL',
      'headers.0.key must be another header: Herald sets this one',
      'headers.1.key must be the name of a header',
      'responseBodySchema must be a JSON Schema, as an object',
      'timeoutMs must be a whole number from 100 to 60000',
      'maxAttempts must be a whole number from 1 to 10',
      'body must be absent with GET',
    ]);
    expect(faultsOf(await session.post('/v1/workflows', workflow({})).expect(400))).toEqual([
      'steps.0.template.url must be a string',
    ]);
    const schema = { url: 'https://example.com', responseBodySchema: { type: 'nonsense' } };
    const [fault] = faultsOf(await session.post('/v1/workflows', workflow(schema)).expect(400));
    expect(fault).toContain('steps.0.template.responseBodySchema is not a JSON Schema');
  });
});

describe('a step that sends a request to a private address', () => {
  const delivery = useDeliveryApi('http_steps_private', { ALLOW_PRIVATE_URLS: '0', DELIVERY_MAX_ATTEMPTS: '1' });
  const session = useSession(delivery.api);

  it.each([
    'http://127.0.0.1:9/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'http://0x7f.1/',
    'http://localhost:1/',
  ])('should fail: %s', async (url) => {
    const steps = [{ template: { type: 'http_request', method: 'GET', url: '{{url}}' } }];
    const { identifier } = await createWorkflow(session, steps);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: { url } });
    await delivery.drain();
    const { jobs } = await notificationOf(session, id);
    expect(jobs[0]).toMatchObject({ status: 'failed', reason: 'http_request' });
    expect(jobs[0]?.error).toMatch(/not a public address/);
  });
});

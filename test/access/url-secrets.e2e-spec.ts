import { TestSession } from '../harness/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, inApp } from '../support/delivery.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);
const URL = 'https://example.com/hook?token=abc&id=';
const HIDDEN = 'https://example.com/hook?token=********&id=';

async function reader(): Promise<TestSession> {
  const issued = await dataOf(session.post('/v1/environments/api-keys', { name: 'reader', scopes: ['read'] }), 201);
  const { organizationId, environmentId, baseUrl } = session;
  return new TestSession(baseUrl, { apiKey: String(issued['key']), organizationId, environmentId });
}

describe('a URL with a secret in its query', () => {
  it('should be masked for a key with the scope read, and not be stored when it comes back', async () => {
    const { _id } = await dataOf(session.post('/v1/webhooks', { url: URL, events: ['message.sent'] }), 201);
    const path = `/v1/webhooks/${String(_id)}`;
    const shown = await dataOf(session.get(path), 200);
    const hidden = await dataOf((await reader()).get(path), 200);
    expect([shown['url'], hidden]).toEqual([URL, { ...shown, url: HIDDEN }]);
    const faults = await faultsOf(session.patch(path, { url: hidden['url'] }));
    expect(faults).toEqual(['url is masked: send the value itself']);
    expect(await dataOf(session.get(path), 200)).toEqual(shown);
  });

  it('should be masked in steps, and not be stored when a workflow or its definition comes back', async () => {
    const children = [{ on: 'webhook', webhookUrl: URL, field: 'a', operator: 'EQUAL', value: 'b' }];
    const step = { ...inApp('Hello'), filters: [{ type: 'GROUP', value: 'AND', children }] };
    const { _id, identifier } = await createWorkflow(session, [step]);
    const path = `/v1/workflows/${_id}`;
    const key = await reader();
    const shown = await dataOf(session.get(path), 200);
    const hidden = await dataOf(key.get(path), 200);
    expect(JSON.parse(JSON.stringify(shown).replaceAll(URL, HIDDEN))).toEqual(hidden);
    const [record] = await dataOf<{ definition: Json }[]>(key.get('/v1/definitions/workflows'), 200);
    const expected = ['steps.0.filters.0.children.0.webhookUrl is masked: send the value itself'];
    expect(await faultsOf(session.put(path, { steps: hidden['steps'] }))).toEqual(expected);
    const definition = `/v1/definitions/workflows/${identifier}`;
    expect(await faultsOf(session.put(definition, record?.definition ?? {}))).toEqual(expected);
    expect(await dataOf(session.get(path), 200)).toEqual(shown);
  });

  it('should be masked in control values of later clients as well', async () => {
    const controlValues = { body: 'Hello', redirect: { url: URL, target: '_self' } };
    const made = {
      workflowId: 'masked',
      name: 'Masked',
      steps: [{ stepId: 'one', name: 'One', type: 'in_app', controlValues }],
    };
    const shown = await dataOf(session.post('/v2/workflows', made), 201);
    const key = await reader();
    for (const path of ['/v2/workflows/masked', '/v2/workflows/masked/steps/one']) {
      const text = JSON.stringify(await dataOf(session.get(path), 200));
      expect(text).toContain(URL);
      expect(await dataOf(key.get(path), 200)).toEqual(JSON.parse(text.replaceAll(URL, HIDDEN)));
    }
    const hidden = await dataOf(key.get('/v2/workflows/masked'), 200);
    const faults = await faultsOf(session.put('/v2/workflows/masked', { name: 'Masked', steps: hidden['steps'] }));
    expect(faults).toContain('steps.0.controls.values.redirect.url is masked: send the value itself');
    expect(await dataOf(session.get('/v2/workflows/masked'), 200)).toEqual(shown);
  });
});

import type { TestSession } from '../harness/index.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { joined, tokenOf } from '../support/signed-in-browser.js';
import { useHerald, useSession } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const PATH = '/v2/workflows';
const sms = (more: Json = {}): Json => ({
  stepId: 'text',
  name: 'Text',
  type: 'sms',
  controlValues: { body: 'Hi {{ payload.name }}' },
  ...more,
});
const workflow = (workflowId: string, more: Json = {}): Json => ({ workflowId, name: 'Text', steps: [sms()], ...more });
const make = (id: string, more: Json = {}): Promise<Json> => dataOf(session.post(PATH, workflow(id, more)), 201);
/** The texts of a 422. */
const refusals = async (call: ReturnType<TestSession['post']>, code: string): Promise<string[]> => {
  const { status, body } = await call;
  expect([status, (body as Json)['code']]).toEqual([422, code]);
  return [(body as Json)['message']].flat() as string[];
};

describe('/v2/workflows', () => {
  it('should be a workflow in Liquid of the older interface, with the identifier as it is sent', async () => {
    const made = await make('Order.Shipped', { active: true, severity: 'high', description: 'Tells' });
    expect(await dataOf(session.get('/v1/workflows/Order.Shipped'), 200)).toMatchObject({
      _id: made['_id'],
      templateLanguage: 'liquid',
      severity: 'high',
      active: true,
      steps: [{ uuid: 'text', stepId: 'text', template: { type: 'sms', content: 'Hi {{ payload.name }}' } }],
    });
    expect(await codeOf(session.post(PATH, workflow('Order.Shipped')), 409)).toBe('workflow_identifier_taken');
    for (const id of [made['_id'], 'Order.Shipped'])
      expect(await dataOf(session.get(`${PATH}/${String(id)}`), 200)).toEqual(made);
  });

  it('should refuse what steps cannot have, all at once, and store nothing', async () => {
    const steps = [
      { name: 'Blocks', type: 'email', controlValues: { subject: 'x', body: '{"type":"doc","content":[]}' } },
      sms({ controlValues: { body: 'x', skip: { startsWith: [{ var: 'payload.a' }, 'x'] } } }),
      { name: 'Code', type: 'custom', controlValues: {} },
      { name: 'Sender', type: 'email', controlValues: { subject: 'x', body: 'x', from: { email: 'a@b.example' } } },
    ];
    expect(await refusals(session.post(PATH, workflow('wrong', { steps })), 'controls_not_served')).toEqual([
      'steps.0 is a mail of the block editor; write it again in HTML',
      expect.stringMatching(/^steps\.1 has a condition \(skip\) that conditions of Herald cannot say/) as string,
      "steps.2 is of the type 'custom', which is not taken over",
      expect.stringMatching(/^steps\.3 has from\.email/) as string,
    ]);
    expect(await codeOf(session.get(`${PATH}/wrong`), 404)).toBe('workflow_not_found');
    const validated = workflow('wrong', { validatePayload: true });
    expect(await refusals(session.post(PATH, validated), 'field_not_served')).toEqual([
      expect.stringContaining('validatePayload') as string,
    ]);
    expect(
      await faultsOf(session.post(PATH, workflow('wrong', { steps: [sms({ controlValues: { body: '{% if %}' } })] }))),
    ).toEqual([expect.stringMatching(/^steps\.0\.template\.content is not a valid template/) as string]);
    expect(await faultsOf(session.post(PATH, workflow('x'.repeat(24).replaceAll('x', 'a'))))).toEqual([
      expect.stringContaining('identifier must not have the form of an id') as string,
    ]);
  });

  it('should keep what it does not know when it is replaced, and refuse to lose steps', async () => {
    const { _id } = await make('kept');
    await session.put(`/v1/workflows/${String(_id)}`, { missingAddress: 'fail', data: { team: 'shop' } }).expect(200);
    await dataOf(session.put(`${PATH}/kept`, { name: 'Text 2', steps: [sms({ name: 'Again' })] }), 200);
    expect(await dataOf(session.get('/v1/workflows/kept'), 200)).toMatchObject({
      _id,
      name: 'Text 2',
      missingAddress: 'fail',
      data: { team: 'shop' },
      steps: [{ name: 'Again' }],
    });
    const older = await dataOf<Json>(
      session.post('/v1/workflows', { name: 'Older', steps: [{ template: { type: 'sms', content: 'Hi {{name}}' } }] }),
      201,
    );
    expect(await dataOf(session.get(`${PATH}/older`), 200)).toMatchObject({
      origin: 'novu-cloud-v1',
      steps: [{ type: 'sms', controls: { values: { body: 'Hi {{name}}' } } }],
    });
    const replaced = session.put(`${PATH}/${String(older['_id'])}`, { name: 'x', steps: [sms()] });
    expect(await codeOf(replaced, 422)).toBe('workflow_beyond_controls');
    // Without its steps, it can be changed.
    expect(await dataOf(session.patch(`${PATH}/older`, { name: 'Newer' }), 200)).toMatchObject({ name: 'Newer' });
  });

  it('should be listed newest first, in any window', async () => {
    for (const id of ['one', 'two', 'three', 'four']) await make(id);
    const list = async (query: string): Promise<unknown[]> => {
      const { workflows, totalCount } = await dataOf<{ workflows: Json[]; totalCount: number }>(
        session.get(`${PATH}?${query}`),
        200,
      );
      return [totalCount, ...workflows.map(({ workflowId }) => workflowId)];
    };
    expect(await list('limit=2')).toEqual([4, 'four', 'three']);
    expect(await list('limit=2&offset=1')).toEqual([4, 'three', 'two']);
    expect(await list('limit=3&offset=2')).toEqual([4, 'two', 'one']);
    expect(await list('query=one')).toEqual([1, 'one']);
    expect(await codeOf(session.get(`${PATH}?orderBy=name`), 422)).toBe('field_not_served');
  });

  it('should preview content that is not stored', async () => {
    await make('previewed');
    const preview = async (controlValues: Json, payload: Json = { name: 'Ada' }): Promise<unknown> =>
      (
        await dataOf<Json>(
          session.post(`${PATH}/previewed/step/text/preview`, { controlValues, previewPayload: { payload } }),
          201,
        )
      )['result'];
    expect(await preview({})).toEqual({ type: 'sms', preview: { body: 'Hi Ada' } });
    expect(await preview({ body: 'Bye {{ payload.name | upcase }}' })).toEqual({
      type: 'sms',
      preview: { body: 'Bye ADA' },
    });
    expect(await codeOf(session.post(`${PATH}/previewed/step/gone/preview`, {}), 404)).toBe('step_not_found');
  });

  it('should run a step if its rule is true', async () => {
    const skip = { '==': [{ var: 'payload.vip' }, true] };
    const body = 'For {{ payload.name }}';
    await make('ruled', {
      active: true,
      steps: [{ name: 'Bell', type: 'in_app', controlValues: { body, skip } }],
    });
    expect(await dataOf(session.get('/v1/workflows/ruled'), 200)).toMatchObject({
      steps: [{ filters: [{ children: [{ on: 'payload', field: 'vip', operator: 'EQUAL', value: true }] }] }],
    });
    const dryRun = async (vip: boolean): Promise<string> =>
      JSON.stringify(
        await dataOf(
          session.post('/v1/events/trigger/dry-run', { name: 'ruled', to: 'ada', payload: { vip, name: 'Ada' } }),
          200,
        ),
      );
    expect(await dryRun(true)).toContain('For Ada');
    expect(await dryRun(false)).not.toContain('For Ada');
  });
});

describe('/v2/environments', () => {
  it('should publish what differs as a promotion, for people with a role in both', async () => {
    const [development, production] = await api.siblings();
    const ada = await joined(development, 'editor');
    const { url } = await dataOf<{ url: string }>(
      production.post('/v1/users/invitations', { email: ada.email, role: 'editor' }),
      201,
    );
    await ada.accept(tokenOf(url));
    ada.environmentId = development.environmentId;
    for (const id of ['first', 'second'])
      await development.post(PATH, workflow(id, { active: true, tags: [id] })).expect(201);
    const target = `/v2/environments/${production.environmentId}`;
    expect(await dataOf(ada.post(`${target}/diff`, {}), 200)).toMatchObject({
      sourceEnvironmentId: development.environmentId,
      targetEnvironmentId: production.environmentId,
      summary: { hasChanges: true },
      resources: expect.arrayContaining([
        expect.objectContaining({ resourceType: 'workflow', sourceResource: { id: 'first', name: 'first' } }),
      ]) as object,
    });
    const resources = [{ resourceType: 'workflow', resourceId: 'first' }];
    const publish = (more: Json): Promise<Json> => dataOf(ada.post(`${target}/publish`, { resources, ...more }), 200);
    const published = { results: [{ successful: [{ resourceId: 'first', action: 'created' }], failed: [] }] };
    expect(await publish({ dryRun: true })).toMatchObject(published);
    expect(await codeOf(production.get('/v1/workflows/first'), 404)).toBe('workflow_not_found');
    expect(await publish({})).toMatchObject({ ...published, summary: { successful: 1, failed: 0 } });
    await production.get('/v1/workflows/first').expect(200);
    expect(await codeOf(production.get('/v1/workflows/second'), 404)).toBe('workflow_not_found');
    const synced = ada.put(`${PATH}/second/sync`, { targetEnvironmentId: production.environmentId });
    expect(await dataOf(synced, 200)).toMatchObject({ workflowId: 'second' });
    await production.get('/v1/workflows/second').expect(200);
    expect(await dataOf(production.get(`${target}/tags`), 200)).toEqual([{ name: 'first' }, { name: 'second' }]);
    expect(await codeOf(development.get(`${target}/tags`), 404)).toBe('environment_not_found');
  });

  it('should not let a viewer of the target publish into it', async () => {
    const [development, production] = await api.siblings();
    const bob = await joined(development, 'editor');
    const { url } = await dataOf<{ url: string }>(
      production.post('/v1/users/invitations', { email: bob.email, role: 'viewer' }),
      201,
    );
    await bob.accept(tokenOf(url));
    bob.environmentId = development.environmentId;
    await development.post(PATH, workflow('mine')).expect(201);
    const target = production.environmentId;
    expect(await codeOf(bob.post(`/v2/environments/${target}/publish`, {}), 403)).toBe('scope_missing');
    expect(await codeOf(bob.put(`${PATH}/mine/sync`, { targetEnvironmentId: target }), 403)).toBe('scope_missing');
    expect(await codeOf(production.get('/v1/workflows/mine'), 404)).toBe('workflow_not_found');
  });
});

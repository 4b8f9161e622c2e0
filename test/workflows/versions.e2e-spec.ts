import { createWorkflow, workflowPath } from '../factories/workflow.factory.js';
import { UNKNOWN_ID, unique } from '../factories/ids.js';
import { codeOf, dataOf, type Json, pageOf } from '../support/answers.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const sms = (uuid: string, content: string): Json => ({ uuid, template: { type: 'sms', content } });
const versionsOf = (workflow: Json): string => `${workflowPath(workflow)}/versions`;
const list = async (workflow: Json, query = ''): Promise<Json[]> =>
  (await pageOf(session.get(`${versionsOf(workflow)}${query}`))).data;
const details = (workflow: Json, version: number, query = ''): Promise<Json> =>
  dataOf(session.get(`${versionsOf(workflow)}/${version}${query}`), 200);

/** Three versions: 0, 1 (another text) and 2 (another name, steps in another order). */
async function changedTwice(): Promise<Json> {
  const made = await createWorkflow(session, { steps: [sms('one', 'First'), sms('two', 'Second')] });
  const steps = [sms('one', 'First, better'), sms('two', 'Second')];
  await session.put(workflowPath(made), { steps, note: 'Better text' }).expect(200);
  return dataOf(session.put(workflowPath(made), { name: 'Other', steps: [...steps].reverse() }), 200);
}

describe('GET /v1/workflows/:workflowId/versions', () => {
  it('should list the current state and those before it, with key, note and action', async () => {
    const workflow = await changedTwice();
    const { name } = workflow;
    const [, , first] = await list(workflow);
    expect(await list(workflow)).toEqual([
      expect.objectContaining({ version: 2, isCurrent: true, name, action: 'updated', apiKeyName: expect.any(String) }),
      expect.objectContaining({ version: 1, isCurrent: false, note: 'Better text', action: 'updated' }),
      expect.objectContaining({ version: 0, isCurrent: false, action: 'created' }),
    ]);
    expect(first?.['apiKeyId']).toMatch(/^[0-9a-f]{24}$/);
    expect(first?.['savedAt']).toBe(workflow['createdAt']);
    expect(first).not.toHaveProperty('note');
  });

  it('should page through them', async () => {
    const workflow = await changedTwice();
    const pages = await Promise.all(
      [0, 1, 2].map((page) => pageOf(session.get(`${versionsOf(workflow)}?limit=1&page=${page}`))),
    );
    expect(pages.map(({ data }) => data.map(({ version }) => version))).toEqual([[2], [1], [0]]);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
  });

  it('should tell what switched, defined and restored it', async () => {
    const workflow = await createWorkflow(session, { active: true });
    await session.put(`${workflowPath(workflow)}/status`, { active: false }).expect(200);
    await session.put(`${workflowPath(workflow)}/status`, { active: true }).expect(200);
    const { data } = await pageOf(session.get('/v1/definitions/workflows'));
    const { definition } = data[0] as { definition: Json };
    await session
      .put(`/v1/definitions/workflows/${String(definition['identifier'])}`, { ...definition, name: 'Defined' })
      .expect(200);
    await session.post(`${versionsOf(workflow)}/0/restore`, { note: 'Back' }).expect(200);
    const actions = (await list(workflow)).map(({ action, restoredVersion, note }) => [action, restoredVersion, note]);
    expect(actions).toEqual([
      ['restored', 0, 'Back'],
      ['defined', undefined, undefined],
      ['activated', undefined, undefined],
      ['deactivated', undefined, undefined],
      ['created', undefined, undefined],
    ]);
  });

  it('should not list those of other environments', async () => {
    const workflow = await changedTwice();
    const other = await api.session();
    expect(await codeOf(other.get(versionsOf(workflow)), 404)).toBe('workflow_not_found');
  });
});

describe('GET /v1/workflows/:workflowId/versions/:version', () => {
  it('should show what a version changed, step by step', async () => {
    const workflow = await changedTwice();
    expect(await details(workflow, 2)).toMatchObject({
      since: 1,
      definition: { name: 'Other', steps: [{ uuid: 'two' }, { uuid: 'one' }] },
      differences: [
        { path: ['name'], kind: 'changed', after: 'Other' },
        { path: ['steps'], kind: 'moved', before: ['one', 'two'], after: ['two', 'one'] },
      ],
    });
    expect((await details(workflow, 1))['differences']).toEqual([
      { path: ['steps', 'one', 'template', 'content'], kind: 'changed', before: 'First', after: 'First, better' },
    ]);
    expect(await details(workflow, 0)).toMatchObject({ since: null, differences: [] });
  });

  it('should not show what clients send back as they read it', async () => {
    const made = await createWorkflow(session, { steps: [sms('one', 'First')] });
    const read = await dataOf<Json>(session.get(workflowPath(made)), 200);
    await session.put(workflowPath(made), { steps: read['steps'] }).expect(200);
    expect((await details(made, 1))['differences']).toEqual([]);
  });

  it('should compare with any other version', async () => {
    const workflow = await changedTwice();
    const { since, differences } = await details(workflow, 2, '?since=0');
    expect(since).toBe(0);
    expect((differences as { path: string[] }[]).map(({ path }) => path.join('.'))).toEqual([
      'name',
      'steps',
      'steps.one.template.content',
    ]);
  });

  it('should refuse numbers that are none, and versions that do not exist', async () => {
    const workflow = await changedTwice();
    await session.get(`${versionsOf(workflow)}/first`).expect(400);
    await session.get(`${versionsOf(workflow)}/1?since=x`).expect(400);
    expect(await codeOf(session.get(`${versionsOf(workflow)}/9`), 404)).toBe('workflow_version_not_found');
    expect(await codeOf(session.get(`${versionsOf(workflow)}/1?since=9`), 404)).toBe('workflow_version_not_found');
    await session.get(`/v1/workflows/${UNKNOWN_ID}/versions/0`).expect(404);
  });
});

describe('POST /v1/workflows/:workflowId/versions/:version/restore', () => {
  it('should save the former content as a new version, and keep ids and the switch', async () => {
    const made = await createWorkflow(session, { steps: [sms('one', 'First')], tags: ['a'], description: 'Text' });
    const path = workflowPath(made);
    await session.put(path, { steps: [sms('two', 'Second')], tags: [], description: null, name: 'Other' }).expect(200);
    await session.put(`${path}/status`, { active: true }).expect(200);
    const restored = dataOf<Json>(await session.post(`${path}/versions/0/restore`, {}).expect(200));
    const { updatedAt, active, draft, __v, steps, ...rest } = restored;
    expect(rest).toEqual(expect.objectContaining({ name: made['name'], tags: ['a'], description: 'Text' }));
    expect({ active, draft, __v }).toEqual({ active: true, draft: false, __v: 3 });
    const idsOf = (list: unknown): unknown => (list as Json[]).map(({ _id, uuid }) => [_id, uuid]);
    expect(idsOf(steps)).toEqual(idsOf(made['steps']));
    expect(updatedAt).not.toBe(made['updatedAt']);
    expect((await details(made, 3, '?since=0'))['differences']).toEqual([
      { path: ['active'], kind: 'changed', before: false, after: true },
    ]);
  });

  it('should refuse content whose feed is gone, and a name that another workflow has taken', async () => {
    const feed = await dataOf<Json>(session.post('/v1/feeds', { name: unique('feed') }), 201);
    const step = { template: { type: 'in_app', content: 'Text', feedId: feed['_id'] } };
    const made = await createWorkflow(session, { steps: [step] });
    const path = workflowPath(made);
    await session.put(path, { steps: [sms('one', 'First')] }).expect(200);
    await session.delete(`/v1/feeds/${String(feed['_id'])}`).expect(200);
    await session.post(`${path}/versions/0/restore`, {}).expect(400);
    const identifier = unique('moved');
    await session.put(path, { identifier }).expect(200);
    const other = await createWorkflow(session);
    await session.put(path, { identifier: unique('again') }).expect(200);
    await session.put(workflowPath(other), { identifier }).expect(200);
    expect(await codeOf(session.post(`${path}/versions/2/restore`, {}), 409)).toBe('workflow_identifier_taken');
    expect((await list(made))[0]).toMatchObject({ version: 3 });
  });
});

describe('If-Match', () => {
  it('should name the version in ETag, and refuse to overwrite a later one', async () => {
    const made = await createWorkflow(session);
    const path = workflowPath(made);
    const { headers } = await session.get(path).expect(200);
    expect(headers['etag']).toBe('"0"');
    const write = (name: string, tag: string) => session.put(path, { name }).set('If-Match', tag);
    expect((await write('Mine', '"0"').expect(200)).headers['etag']).toBe('"1"');
    expect(await codeOf(write('Theirs', '"0"'), 412)).toBe('workflow_version_changed');
    await write('Theirs', '"x"').expect(412);
    expect(dataOf<Json>(await session.get(path))).toMatchObject({ name: 'Mine', __v: 1 });
    await write('Weak', 'W/"1"').expect(200);
    await write('Any', '*').expect(200);
    await session.put(path, { name: 'Without' }).expect(200);
    const steps = [sms('one', 'Text')];
    await session.put(path, { steps }).set('If-Match', '"3"').expect(412);
    await session.put(path, { steps }).set('If-Match', '"4"').expect(200);
    await session.post(`${path}/versions/0/restore`, {}).set('If-Match', '"4"').expect(412);
  });

  it('should let one of many writers win, and lose none of their states', async () => {
    const made = await createWorkflow(session);
    const path = workflowPath(made);
    const guarded = await Promise.all(
      Array.from({ length: 8 }, (_, at) => session.put(path, { name: `Guarded ${at}` }).set('If-Match', '"0"')),
    );
    expect(guarded.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    const free = await Promise.all(
      Array.from({ length: 8 }, (_, at) => session.put(path, { description: `Free ${at}` })),
    );
    expect(free.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const versions = (await list(made, '?limit=20')).map(({ version }) => version);
    expect(versions).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });
});

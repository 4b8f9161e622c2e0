import type { TestSession } from '../harness/index.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { generalGroupId, identifierOf, stepFactory, stepsOf } from '../factories/workflow.factory.js';
import { codeOf, dataOf, faultsOf, type Json, pageOf, type ShownPage } from '../support/answers.js';
import { useSession, useHerald } from '../support/herald.js';

const PATH = '/v1/workflows';

/** Replays what the compatible system's own tests expect of workflows. */
describe('compatibility: workflows', () => {
  const api = useHerald();
  const session = useSession(api);
  let groupId: string;

  beforeEach(async () => {
    groupId = await generalGroupId(session);
  });

  const create = (body: Json = {}): Promise<Json> =>
    dataOf(session.post(PATH, { name: 'test', notificationGroupId: groupId, steps: [stepFactory()], ...body }), 201);
  const put = (workflow: Json, body: Json): ReturnType<TestSession['put']> =>
    session.put(`${PATH}/${String(workflow['_id'])}`, { name: 'test', notificationGroupId: groupId, ...body });
  const update = (workflow: Json, body: Json): Promise<Json> => dataOf(put(workflow, body), 200);
  const filters = [
    {
      isNegated: false,
      type: 'GROUP',
      value: 'AND',
      children: [{ field: 'firstName', value: 'test value', operator: 'EQUAL', on: 'subscriber' }],
    },
  ];

  describe('create', () => {
    it('should take a workflow without steps', async () => {
      expect(await create({ steps: [] })).toMatchObject({ name: 'test', steps: [], active: false, draft: true });
    });

    it('should show an e-mail step of blocks with filters and a variant as it was sent', async () => {
      const template = {
        name: 'Mail',
        type: 'email',
        subject: 'Subject',
        preheader: 'Preheader',
        senderName: 'Sender',
        contentType: 'editor',
        content: [{ type: 'text', content: 'This is a sample text block' }],
      };
      const variant = { active: true, filters, template: { ...template, subject: 'Better subject' } };
      const made = await create({
        tags: ['tag'],
        description: 'text',
        steps: [{ template, filters, variants: [variant] }],
      });
      expect(made).toMatchObject({ tags: ['tag'], description: 'text', _notificationGroupId: groupId });
      expect(stepsOf(made)).toMatchObject([
        {
          active: true,
          template: { ...template, content: [{ type: 'text' }] },
          filters: [{ type: 'GROUP', children: [{ field: 'firstName' }] }],
          variants: [{ template: { subject: 'Better subject' }, filters: [{ type: 'GROUP' }] }],
        },
      ]);
    });

    it('should make one trigger from the name, with a suffix when it is taken', async () => {
      const first = await create();
      const second = await create();
      expect(first['triggers']).toMatchObject([{ type: 'event', identifier: 'test' }]);
      expect(identifierOf(second)).toMatch(/^test-.+/);
    });

    it('should chain the steps', async () => {
      const made = await create({ steps: [stepFactory(), stepFactory()] });
      const [first, second] = stepsOf(made);
      expect(first?.['_parentId'] ?? null).toBeNull();
      expect(second?.['_parentId']).toBe(first?.['_id']);
      expect(first).toMatchObject({ replyCallback: {}, template: { type: 'in_app' } });
    });

    it('should show the address of the call to action', async () => {
      const cta = { type: 'redirect', data: { url: 'https://example.com/a' } };
      const made = await create({ steps: [stepFactory({ cta })] });
      expect(stepsOf(made)).toMatchObject([{ template: { type: 'in_app', cta } }]);
    });

    it('should refuse an empty action and a variant without conditions', async () => {
      const body = { name: 'test', notificationGroupId: groupId };
      await session
        .post(PATH, { ...body, steps: [stepFactory({ cta: { type: 'redirect', action: '' } })] })
        .expect(400);
      const variants = [{ template: { type: 'in_app', content: 'x' }, filters: [] }];
      await session.post(PATH, { ...body, steps: [{ ...stepFactory(), variants }] }).expect(400);
    });

    it('should take the group of a blueprint by its name, made where there is none', async () => {
      const made = await create({ blueprintId: UNKNOWN_ID, notificationGroup: { name: 'New name' } });
      expect(made).toMatchObject({ blueprintId: UNKNOWN_ID, isBlueprint: false });
      expect(made['_notificationGroupId']).not.toBe(groupId);
      expect(await dataOf(session.get('/v1/notification-groups'), 200)).toMatchObject([
        { name: 'General' },
        { name: 'New name', _id: made['_notificationGroupId'] },
      ]);
    });
  });

  describe('update', () => {
    it('should change the name and keep the description', async () => {
      const made = await create({ description: 'text' });
      const changed = await update(made, { name: 'new name' });
      expect(changed).toMatchObject({ name: 'new name', description: 'text' });
      expect(stepsOf(changed)).toHaveLength(1);
    });

    it('should refuse a taken identifier (deviation: 409 instead of 400) and take another as it is', async () => {
      const first = await create();
      const second = await create();
      expect(await codeOf(put(second, { identifier: identifierOf(first) }), 409)).toBe('workflow_identifier_taken');
      expect(identifierOf(await update(second, { identifier: 'My_Own.Id' }))).toBe('My_Own.Id');
    });

    it('should read the variables anew from new content', async () => {
      const made = await create({ steps: [stepFactory({ content: 'Hi {{one}}' })] });
      const changed = await update(made, { steps: [stepFactory({ content: 'Hi {{two}} {{subscriber.firstName}}' })] });
      expect(made['triggers']).toMatchObject([{ variables: [{ name: 'one' }] }]);
      expect(changed['triggers']).toMatchObject([{ variables: [{ name: 'two' }] }]);
    });

    it('should keep the first two steps and chain a third', async () => {
      const made = await create({ steps: [stepFactory(), stepFactory()] });
      const changed = await update(made, { steps: [...stepsOf(made), stepFactory({ content: 'third' })] });
      const [before, after] = [stepsOf(made), stepsOf(changed)];
      expect(after.slice(0, 2).map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id));
      expect(after[2]?.['_parentId']).toBe(after[1]?.['_id']);
    });

    it('should keep a switched-off step of custom HTML and a reply callback', async () => {
      const made = await create();
      const template = { type: 'email', contentType: 'customHtml', subject: 's', content: '<b>x</b>' };
      const replyCallback = { active: true, url: 'https://example.com/reply' };
      const changed = await update(made, { steps: [{ template, active: false, replyCallback }] });
      expect(stepsOf(changed)).toMatchObject([{ active: false, template, replyCallback }]);
    });

    it('should refuse an update of nothing, and keep the name that an update does not name', async () => {
      const id = String((await create())['_id']);
      await session.put(`${PATH}/${id}`, {}).expect(400);
      await session.put(`${PATH}/${id}`, { description: 'x' }).expect(200);
      await session.put(`/v1/notification-templates/${id}`, { description: 'x' }).expect(200);
    });
  });

  describe('status', () => {
    it('should switch on, and tell that it is no draft', async () => {
      const made = await create();
      const path = `${PATH}/${String(made['_id'])}/status`;
      const on = { active: true, draft: false };
      expect(await dataOf(session.put(path, { active: true }), 200)).toMatchObject(on);
      // Deviation: the same status again was refused.
      expect(await dataOf(session.put(path, { active: true }), 200)).toMatchObject(on);
    });
  });

  describe('read', () => {
    it('should show a workflow by id with its content', async () => {
      const made = await create();
      const shown = await dataOf(session.get(`${PATH}/${String(made['_id'])}`), 200);
      expect(stepsOf(shown)).toMatchObject([{ template: { content: 'Hello {{name}}' } }]);
      expect(shown['triggers']).toHaveLength(1);
    });

    it('should list newest first with a total, the group, and search by name and identifier', async () => {
      for (const name of ['Alpha', 'Beta', 'Gamma']) await create({ name });
      const list = (query: string): Promise<ShownPage> => pageOf(session.get(`${PATH}?${query}`));
      const all = await list('page=0&limit=2');
      expect(all).toMatchObject({ totalCount: 3, page: 0, pageSize: 2 });
      expect(all.data.map(({ name }) => name)).toEqual(['Gamma', 'Beta']);
      expect(all.data[0]).toMatchObject({ notificationGroup: { name: 'General' } });
      expect(stepsOf(all.data[0] ?? {})[0]).not.toHaveProperty('variants');
      const found = await list('query=BET');
      expect(found.data.map(({ name }) => name)).toEqual(['Beta']);
      expect(found['totalCount']).toBe(1);
    });
  });

  describe('delete', () => {
    it('should be gone from list and read, and answer 404 for an unknown one (deviation: 400)', async () => {
      const made = await create();
      const path = `${PATH}/${String(made['_id'])}`;
      expect(await dataOf(session.delete(path), 200)).toBe(true);
      await session.get(path).expect(404);
      expect(await dataOf(session.get(PATH), 200)).toEqual([]);
      expect(await codeOf(session.delete(path), 404)).toBe('workflow_not_found');
      expect(await faultsOf(session.delete(`${PATH}/nope`))).toHaveLength(1);
    });
  });
});

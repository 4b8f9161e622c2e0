import { budgetFactory, budgetPath, createBudget } from '../factories/budget.factory.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { itBehavesLikeAResource } from '../harness/index.js';
import { codeOf, dataOf, faultsOf, fieldsOf, type Json } from '../support/answers.js';
import { createWorkflow, inApp } from '../support/delivery.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

describe('/v1/budgets', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/budgets',
    create: createBudget,
    itemPath: budgetPath,
    list: { shape: 'page' },
    remove: { path: budgetPath, status: 204 },
    writes: [{ method: 'put', path: budgetPath, body: { name: 'Changed', max: 2 } }],
    unknownPath: `/v1/budgets/${UNKNOWN_ID}`,
  });

  it('should answer with every field and its default', async () => {
    const session = await api.session();
    const shared = {
      _id: expect.any(String) as string,
      id: expect.any(String) as string,
      _environmentId: session.environmentId,
      _organizationId: session.organizationId,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
      __v: 0,
    };
    expect(await createBudget(session, { name: 'a day', max: 5 })).toEqual({
      ...shared,
      ...{ name: 'a day', channels: [], max: 5, window: 'day', over: 'drop', active: true },
    });
    const { identifier } = await createWorkflow(session, [inApp('{{total_count}}')]);
    const whole = {
      ...{ name: 'two hours', channels: ['email', 'in_app'], max: 2, window: 'rolling', amount: 2, unit: 'hours' },
      ...{ over: 'hold', digestWorkflow: identifier, active: false },
    };
    expect(await createBudget(session, whole)).toEqual({ ...shared, ...whole });
  });

  const faultsWith = async (body: Json): Promise<Set<string>> => {
    const session = await api.session();
    return new Set(fieldsOf(await faultsOf(session.post('/v1/budgets', { name: 'One', max: 1, ...body }))));
  };

  it('should list every fault at once', async () => {
    const wrong = { name: 5, max: 501, window: 'week', over: 'keep', channels: ['fax'], active: 'yes' };
    expect(await faultsWith(wrong)).toEqual(new Set(['name', 'max', 'window', 'over', 'channels.0', 'active']));
    expect(await faultsWith({ max: 0, amount: 1.5, unit: 'weeks' })).toEqual(new Set(['max', 'amount', 'unit']));
  });

  it.each<[Json, string[]]>([
    [{ window: 'rolling' }, ['amount', 'unit']],
    [{ window: 'rolling', amount: 32, unit: 'days' }, ['amount']],
    [{ amount: 1, unit: 'hours' }, ['window']],
    [{ over: 'hold' }, ['digestWorkflow']],
    [{ digestWorkflow: 'weekly' }, ['over']],
    [{ over: 'hold', digestWorkflow: 'there-is-none' }, ['digestWorkflow']],
  ])('should refuse what does not fit together: %j', async (body, fields) => {
    expect(await faultsWith(body)).toEqual(new Set(fields));
  });

  it('should replace everything, and refuse a name that is taken with 409', async () => {
    const session = await api.session();
    const made = await createBudget(session, { window: 'rolling', amount: 1, unit: 'days', channels: ['sms'] });
    const changed = await dataOf(session.put(budgetPath(made), { name: 'Other', max: 9 }), 200);
    expect(changed).toMatchObject({ _id: made['_id'], name: 'Other', max: 9, window: 'day', channels: [] });
    expect(changed).not.toHaveProperty('amount');
    const second = await createBudget(session);
    expect(await codeOf(session.put(budgetPath(second), { name: 'Other', max: 1 }), 409)).toBe('budget_already_exists');
    expect(await codeOf(session.post('/v1/budgets', { name: 'Other', max: 1 }), 409)).toBe('budget_already_exists');
  });

  it('should keep the workflow that sends its digest from being deleted or renamed', async () => {
    const session = await api.session();
    const { _id, identifier } = await createWorkflow(session, [inApp('{{total_count}}')]);
    const made = await createBudget(session, { over: 'hold', digestWorkflow: identifier });
    const path = `/v1/workflows/${_id}`;
    expect(await codeOf(session.delete(path), 409)).toBe('workflow_in_use');
    expect(await codeOf(session.put(path, { identifier: 'renamed' }), 409)).toBe('workflow_in_use');
    await session.put(path, { name: 'Another name', identifier }).expect(200);
    // A budget of another environment does not count, and neither does one that is switched to dropping.
    const other = await api.session();
    const theirs = await createWorkflow(other, [inApp('x')]);
    await other.delete(`/v1/workflows/${theirs._id}`).expect(200);
    await session.put(budgetPath(made), { name: 'Dropping', max: 1 }).expect(200);
    await session.put(path, { identifier: 'renamed' }).expect(200);
    await session.delete(path).expect(200);
  });

  it('should refuse the 21st of an environment', async () => {
    const session = await api.session();
    for (let n = 0; n < 20; n += 1) await createBudget(session);
    expect(await codeOf(session.post('/v1/budgets', budgetFactory()), 409)).toBe('too_many_budgets');
    const path = '/v1/definitions/budgets/more';
    expect(await codeOf(session.put(path, { name: 'more', max: 1 }), 409)).toBe('too_many_budgets');
  });

  it('should be defined by name, without ids', async () => {
    const session = await api.session();
    const { identifier } = await createWorkflow(session, [inApp('{{total_count}}')]);
    const path = '/v1/definitions/budgets/mails';
    const body = { name: 'mails', channels: ['email'], max: 3, over: 'hold', digestWorkflow: identifier };
    const define = (sent: Json, query = ''): Promise<Json> => dataOf(session.put(`${path}${query}`, sent), 200);
    expect(await define(body)).toEqual({ outcome: 'created', before: null, after: body, missing: [] });
    expect(await define({ ...body, window: 'day', active: true })).toMatchObject({ outcome: 'unchanged' });
    expect(await define({ name: 'mails', max: 3 })).toMatchObject({ outcome: 'updated', before: body });
    const listed = await dataOf(session.get('/v1/definitions/budgets'), 200);
    expect(listed).toEqual([{ id: expect.any(String) as string, definition: { name: 'mails', max: 3 } }]);
    const unknown = { ...body, digestWorkflow: 'later' };
    expect(await define(unknown, '?dryRun=true')).toMatchObject({
      missing: [{ kind: 'workflow', name: 'later', path: 'digestWorkflow' }],
    });
    expect(fieldsOf(await faultsOf(session.put(path, unknown)))).toEqual(['digestWorkflow']);
    expect(fieldsOf(await faultsOf(session.put(path, { ...body, name: 'others' })))).toEqual(['name']);
  });
});
